// The person picker: who speaks on a platform. Radio buttons, so the arrow keys work.

import { avatar, fill, h, span } from "./dom.js";
import { choices } from "./prefs.js";
import { roleName, t } from "./words.js";

export class People {
  #platform;
  #changed;
  #drawn = "";
  #id;

  /** `changed()` is called when the person picks somebody else. */
  constructor(platform, changed) {
    this.#platform = platform;
    this.#changed = changed;
    this.#id = choices.get(`person.${platform}`);
    this.root = h("fieldset", { class: "people" });
  }

  /** The user that speaks now: the chosen one, else the first. */
  current(users) {
    return users.find((user) => String(user.id) === this.#id) ?? users[0] ?? null;
  }

  /** Draw the picker; `waiting` holds the ids of people with unread messages. */
  update(users, waiting) {
    const current = this.current(users);
    const marked = users.map((user) => waiting.has(user.id) && user !== current);
    const drawn = JSON.stringify([users, current?.id, marked, t("speakAs")]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const hadFocus = this.root.contains(document.activeElement);
    const rows = users.map((user, index) => this.#person(user, user === current, marked[index]));
    fill(this.root, h("legend", { class: "hidden-words" }, t("speakAs")), rows);
    if (hadFocus) this.root.querySelector("input:checked")?.focus();
  }

  #person(user, isCurrent, isWaiting) {
    const name = (user.real_name ?? user.name).split(" ")[0];
    const input = h("input", {
      type: "radio",
      name: `person-${this.#platform}`,
      value: user.id,
      checked: isCurrent,
      "aria-label": `${name}, ${roleName(user.role)}`,
      onchange: () => this.#choose(user),
    });
    return h(
      "label",
      { class: "person", title: `${t("speakAs")} ${name}` },
      input,
      avatar(name),
      span("person-words", span("person-name", name), span("person-role", roleName(user.role))),
      isWaiting && span("dot"),
    );
  }

  #choose(user) {
    this.#id = String(user.id);
    choices.set(`person.${this.#platform}`, this.#id);
    this.#changed();
  }
}
