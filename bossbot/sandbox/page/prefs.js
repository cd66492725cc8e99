// What the page remembers in this browser: choices for good, drafts for the tab's life.
// Storage may be closed to the page (private windows); then it forgets and goes on.

/** A small map of strings over localStorage or sessionStorage. */
function memory(open, prefix) {
  return {
    get(key, fallback = "") {
      try {
        return open().getItem(prefix + key) ?? fallback;
      } catch {
        return fallback;
      }
    },
    set(key, value) {
      try {
        if (value) open().setItem(prefix + key, value);
        else open().removeItem(prefix + key);
      } catch {
        // Nothing is lost but the memory of it.
      }
    },
  };
}

export const choices = memory(() => localStorage, "bossbot.");
export const drafts = memory(() => sessionStorage, "bossbot.draft.");
