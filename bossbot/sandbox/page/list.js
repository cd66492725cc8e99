// A scrolling list of messages that keeps its nodes: unchanged ones stay, changed ones are redrawn in
// place and flash, and the view stays at the end only when it was there.

import { avatar, button, div, h, icon } from "./dom.js";
import { currentLanguage, t } from "./words.js";

const AT_END_PX = 60;

export class MessageList {
  #rows = new Map();
  #sticks = true; // the person is at the end: stay there as the list grows
  #lastTop = 0;
  #inner = div("list-inner");
  #jump = button({ class: "jump", hidden: true, onclick: () => this.toEnd() }, icon("down"), h("span"));

  constructor(className) {
    this.scroller = h("div", { class: "list-scroll", tabindex: "0", role: "log" }, this.#inner);
    this.scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    const sizes = new ResizeObserver(() => this.#sticks && this.toEnd());
    sizes.observe(this.scroller);
    sizes.observe(this.#inner);
    this.root = div(`list ${className}`, this.scroller, this.#jump);
  }

  /** Forget everything shown: another conversation is next, and nothing of it flashes. */
  clear() {
    this.#rows.clear();
    this.#inner.replaceChildren();
    this.#sticks = true;
    this.#jump.hidden = true;
  }

  /** Show rows: [{key, content, dress, make()}]. A change of `content` is an edit and flashes; a change of
   *  `dress` (language, who looks, a button under way) only redraws. */
  update(rows, title) {
    this.scroller.setAttribute("aria-label", `${t("messages")}: ${title}`);
    const before = this.#rows;
    this.#rows = new Map(rows.map((row) => [row.key, this.#place(row, before.get(row.key))]));
    for (const [key, old] of before) if (!this.#rows.has(key)) old.node.remove();
    this.#order();
    const grew = rows.some((row) => !before.has(row.key));
    if (this.#sticks) this.toEnd();
    else if (grew) this.#offerJump();
  }

  #place(row, old) {
    if (old && old.content === row.content && old.dress === row.dress) return old;
    const node = row.make();
    if (old) {
      keepOpened(old.node, node);
      const focus = old.node.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
      old.node.replaceWith(node);
      if (focus) refocus(node, focus);
      if (old.content !== row.content) node.classList.add("flash");
    } else if (this.#inner.childElementCount) {
      node.classList.add("arrive");
    }
    return { content: row.content, dress: row.dress, node };
  }

  /** Bring the nodes into their order, moving only those that are not there yet. */
  #order() {
    let spot = this.#inner.firstChild;
    for (const { node } of this.#rows.values()) {
      if (node === spot) spot = spot.nextSibling;
      else this.#inner.insertBefore(node, spot);
    }
  }

  toEnd() {
    this.#sticks = true;
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.#jump.hidden = true;
  }

  /** Growth moves the end away from the person before any scroll event; only they leave it. */
  #scrolled() {
    const { scrollTop } = this.scroller;
    if (this.#atEnd()) this.#jump.hidden = this.#sticks = true;
    else if (scrollTop < this.#lastTop) this.#sticks = false;
    this.#lastTop = scrollTop;
  }

  #atEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight < AT_END_PX;
  }

  #offerJump() {
    this.#jump.lastChild.textContent = t("newBelow");
    this.#jump.hidden = false;
  }
}

/** What the person had opened in the old drawing is open in the new one. */
function keepOpened(from, to) {
  const now = to.querySelectorAll("[data-open], details");
  from.querySelectorAll("[data-open], details").forEach((node, index) => {
    if (!now[index]) return;
    if (node.dataset.open) now[index].dataset.open = node.dataset.open;
    if (node.open) now[index].open = true;
  });
}

function refocus(node, focus) {
  const target = [...node.querySelectorAll("[data-focus]")].find((item) => item.dataset.focus === focus);
  target?.focus({ preventScroll: true });
}

/** What an empty conversation says. */
export function emptyRow() {
  const make = () => div("empty", avatar("bossbot"), h("strong", {}, t("emptyTitle")), h("span", {}, t("emptyText")));
  return { key: "empty", content: "", dress: currentLanguage(), make };
}
