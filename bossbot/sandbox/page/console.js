// The console: every call of the bot as it happens, newest last; refused ones stand out.

import { button, div, fill, h, icon, span } from "./dom.js";
import { choices } from "./prefs.js";
import { clock, t } from "./words.js";

const KEPT = 400;
const QUIET = new Set(["getUpdates"]); // polling that only says "still here"; shown when it is refused
const FILTERS = ["all", "telegram", "slack", "refused"];

export class Console {
  #root;
  #entries = [];
  #filter = "all";
  #rows = h("div", { class: "calls", role: "log", "aria-live": "off", tabindex: "0" });
  #last = span("console-last");
  #filters = h("div", { class: "filters", role: "group" });
  #toggle = button({ class: "console-toggle", "aria-expanded": "true", "aria-controls": "calls" });

  constructor(root) {
    this.#root = root;
    this.#rows.id = "calls";
    this.#toggle.addEventListener("click", () => this.#setOpen(!this.#isOpen));
    root.append(div("console-bar", this.#toggle, this.#last, this.#filters), this.#rows);
    this.#setOpen(choices.get("console", "open") === "open");
    this.translate();
  }

  get #isOpen() {
    return this.#root.dataset.open === "yes";
  }

  #setOpen(open) {
    this.#root.dataset.open = open ? "yes" : "no";
    this.#rows.hidden = !open;
    this.#toggle.setAttribute("aria-expanded", String(open));
    choices.set("console", open ? "open" : "closed");
    this.#toEnd();
  }

  /** Draw again in the language now in use. */
  translate() {
    this.#toggle.title = t("collapse");
    this.#rows.setAttribute("aria-label", t("consoleHint"));
    this.#drawFilters();
    this.#drawBar();
    this.#drawRows();
  }

  /** Replace everything: the log as the sandbox has it now. */
  load(entries) {
    this.#entries = entries
      .filter(isShown)
      .sort((a, b) => a.t - b.t)
      .slice(-KEPT);
    this.#drawBar();
    this.#drawRows();
  }

  /** One more call. An entry that `load` has brought already is the same call told twice. */
  add(entry) {
    if (!isShown(entry) || this.#has(entry)) return;
    this.#entries.push(entry);
    const dropped = this.#entries.length > KEPT ? this.#entries.shift() : null;
    this.#drawBar();
    if (!this.#matches(entry)) return;
    const stays = this.#atEnd();
    if (dropped && this.#matches(dropped)) this.#rows.firstChild?.remove();
    if (!this.#rows.querySelector("details")) this.#rows.replaceChildren();
    this.#rows.append(row(entry));
    if (stays) this.#toEnd();
  }

  #has(entry) {
    const same = ({ t: time, method, platform }) =>
      time === entry.t && method === entry.method && platform === entry.platform;
    return this.#entries
      .slice(-60)
      .some((old) => same(old) && JSON.stringify(old.payload) === JSON.stringify(entry.payload));
  }

  #matches(entry) {
    if (this.#filter === "refused") return !entry.ok;
    return this.#filter === "all" || this.#filter === entry.platform;
  }

  #drawRows() {
    const rows = this.#entries.filter((entry) => this.#matches(entry)).map(row);
    fill(this.#rows, rows.length ? rows : h("p", { class: "no-calls" }, t("noCalls")));
    this.#toEnd();
  }

  #drawBar() {
    const refused = this.#entries.filter((entry) => !entry.ok).length;
    fill(
      this.#toggle,
      icon("chevron"),
      h("strong", {}, t("console")),
      span("muted", String(this.#entries.length)),
      refused > 0 && span("refused-count", t("refusedCount", { n: refused })),
    );
    const last = this.#entries.at(-1);
    fill(this.#last, last ? `${last.method} ${words(last)}` : t("consoleHint"));
  }

  #drawFilters() {
    const name = { all: t("all"), telegram: "Telegram", slack: "Slack", refused: t("refused") };
    const choose = (filter) => () => {
      this.#filter = filter;
      this.#drawFilters();
      this.#drawRows();
    };
    fill(
      this.#filters,
      FILTERS.map((filter) =>
        button(
          { class: "filter", "aria-pressed": String(filter === this.#filter), onclick: choose(filter) },
          name[filter],
        ),
      ),
    );
  }

  #atEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.#rows;
    return scrollHeight - scrollTop - clientHeight < 40;
  }

  #toEnd() {
    this.#rows.scrollTop = this.#rows.scrollHeight;
  }
}

function isShown(entry) {
  return !entry.ok || !QUIET.has(entry.method);
}

function row(entry) {
  const { ok, platform, method, error } = entry;
  const details = h(
    "details",
    { class: `call ${ok ? "" : "refused"}` },
    h(
      "summary",
      {},
      h("time", {}, clock(entry.t, true)),
      span(`call-platform ${platform}`, platform),
      span("call-method", method),
      span("call-words", ok ? words(entry) : String(error ?? "")),
      span("call-end", ok ? "ok" : t("refused")),
    ),
  );
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1)
      details.append(h("pre", {}, JSON.stringify(entry.payload, null, 2)));
  });
  return details;
}

/** Where a call goes and what it says, in one line. */
function words({ payload }) {
  const { chat_id, channel, text, status } = payload ?? {};
  const said = String(text ?? status ?? "")
    .replace(/\s+/g, " ")
    .slice(0, 140);
  return [chat_id ?? channel, said].filter((part) => part !== undefined && part !== "").join("  ");
}
