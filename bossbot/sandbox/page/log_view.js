// A list of things that happen, newest last, with a choice of which are shown: calls and events look alike.

import { button, fill, h } from "./dom.js";
import { t } from "./words.js";

const KEPT = 400;
const SAME_AMONG = 60; // an entry told twice (fetched and streamed) is among the last ones
const AT_END_PX = 40;

export class LogView {
  #kind;
  #entries = [];
  #filter;
  #changed;
  rows;
  filters = h("div", { class: "filters", role: "group" });

  /** `kind` is {id, hint(), none(), filters: [[key, words()]], matches(filter, entry), isShown(entry), row(entry),
   *  same(entry, other)}; `changed()` hears of every new entry. */
  constructor(kind, changed) {
    this.#kind = kind;
    this.#changed = changed;
    this.#filter = kind.filters[0][0];
    this.rows = h("div", { class: "calls", role: "log", "aria-live": "off", tabindex: "0", id: kind.id });
  }

  get entries() {
    return this.#entries;
  }

  /** Draw again in the language now in use. */
  translate() {
    this.rows.setAttribute("aria-label", this.#kind.hint());
    this.#drawFilters();
    this.#drawRows();
  }

  /** Replace everything. */
  load(entries) {
    this.#entries = entries.filter((entry) => this.#kind.isShown(entry)).slice(-KEPT);
    this.#changed();
    this.#drawRows();
  }

  /** One more. */
  add(entry) {
    if (!this.#kind.isShown(entry) || this.#has(entry)) return;
    this.#entries.push(entry);
    const dropped = this.#entries.length > KEPT ? this.#entries.shift() : null;
    this.#changed();
    if (!this.#matches(entry)) return;
    const stays = this.#atEnd();
    if (dropped && this.#matches(dropped)) this.rows.firstChild?.remove();
    if (!this.rows.querySelector("details")) this.rows.replaceChildren();
    this.rows.append(this.#kind.row(entry));
    if (stays) this.toEnd();
  }

  toEnd() {
    this.rows.scrollTop = this.rows.scrollHeight;
  }

  #has(entry) {
    return this.#entries.slice(-SAME_AMONG).some((old) => this.#kind.same(old, entry));
  }

  #matches(entry) {
    return this.#kind.matches(this.#filter, entry);
  }

  #drawRows() {
    const rows = this.#entries.filter((entry) => this.#matches(entry)).map(this.#kind.row);
    fill(this.rows, rows.length ? rows : h("p", { class: "no-calls" }, this.#kind.none()));
    this.toEnd();
  }

  #drawFilters() {
    this.filters.setAttribute("aria-label", t("shown"));
    const choose = (filter) => () => {
      this.#filter = filter;
      this.#drawFilters();
      this.#drawRows();
    };
    fill(
      this.filters,
      this.#kind.filters.map(([key, words]) =>
        button({ class: "filter", "aria-pressed": String(key === this.#filter), onclick: choose(key) }, words()),
      ),
    );
  }

  #atEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.rows;
    return scrollHeight - scrollTop - clientHeight < AT_END_PX;
  }
}

/** A row that opens to show the whole as JSON, made only then. */
export function openable(className, head, whole) {
  const details = h("details", { class: className }, h("summary", {}, head));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(h("pre", {}, JSON.stringify(whole, null, 2)));
  });
  return details;
}
