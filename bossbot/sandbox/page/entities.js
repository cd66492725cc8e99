// Telegram text with entities → nodes. Offsets count UTF-16 units, which is how JS strings index.

import { button, div, h, icon, link, span } from "./dom.js";
import { t } from "./words.js";

/** Nodes for a text and its entities; entities that do not fit the text are clipped or dropped. */
export function renderEntities(text, entities = []) {
  const usable = (entities ?? [])
    .filter((e) => Number.isInteger(e.offset) && Number.isInteger(e.length) && e.length > 0)
    .sort((a, b) => a.offset - b.offset || b.length - a.length);
  return renderRange(text, 0, text.length, usable);
}

function renderRange(text, from, to, entities) {
  const out = [];
  const queue = [...entities];
  let at = from;
  while (queue.length) {
    const entity = queue.shift();
    const start = Math.max(entity.offset, at);
    const end = Math.min(entity.offset + entity.length, to);
    if (end <= start) continue;
    if (start > at) out.push(text.slice(at, start));
    const inside = takeInside(queue, end);
    out.push(wrap(entity, text.slice(start, end), () => renderRange(text, start, end, inside)));
    // A block ends its line: the line break after it would be an empty line.
    at = BLOCKS.has(entity.type) && text[end] === "\n" ? end + 1 : end;
  }
  if (to > at) out.push(text.slice(at, to));
  return out;
}

/** Move entities that start before `end` out of the queue; what sticks out past it goes back in. */
function takeInside(queue, end) {
  const inside = [];
  const rest = [];
  while (queue.length && queue[0].offset < end) {
    const entity = queue.shift();
    const sticksOut = entity.offset + entity.length - end;
    inside.push(entity);
    if (sticksOut > 0) rest.push({ ...entity, offset: end, length: sticksOut });
  }
  queue.unshift(...rest);
  return inside;
}

const BLOCKS = new Set(["pre", "blockquote", "expandable_blockquote"]);
const TAGS = { bold: "strong", italic: "em", underline: "u", strikethrough: "s", code: "code" };
const MARKED = new Set(["mention", "hashtag", "cashtag", "bot_command", "phone_number", "text_mention"]);

function wrap(entity, raw, inner) {
  const { type } = entity;
  if (TAGS[type]) return h(TAGS[type], {}, inner());
  if (type === "pre") return codeBlock(entity.language, inner());
  if (type === "text_link") return link(entity.url, inner());
  if (type === "url") return link(/^[a-z][a-z0-9+.-]*:/i.test(raw) ? raw : `https://${raw}`, inner());
  if (type === "email") return link(`mailto:${raw}`, inner());
  if (type === "blockquote") return h("blockquote", {}, inner());
  if (type === "expandable_blockquote") return expandable(inner());
  if (type === "spoiler") return spoiler(inner());
  if (MARKED.has(type)) return span("mention", inner());
  return h("span", {}, inner());
}

/** Preformatted text with its language as a small title. */
export function codeBlock(language, children) {
  return h("pre", { class: "code" }, language && span("code-language", language), h("code", {}, children));
}

/** A quote that shows its first lines until it is opened. `data-open` survives a redraw (see list.js). */
export function expandable(children) {
  const more = button({ class: "quote-more", "aria-label": t("showMore") }, icon("chevron"));
  const quote = h("blockquote", { class: "expandable", "data-open": "no" }, div("quote-body", children), more);
  more.addEventListener("click", () => flip(quote));
  return quote;
}

/** Text that shows when it is pressed. */
export function spoiler(children) {
  const node = h(
    "span",
    { class: "spoiler", role: "button", tabindex: "0", "data-open": "no", title: t("spoiler") },
    children,
  );
  node.addEventListener("click", () => flip(node));
  node.addEventListener("keydown", (event) => {
    if (event.key === "Enter") flip(node);
  });
  return node;
}

function flip(node) {
  node.dataset.open = node.dataset.open === "yes" ? "no" : "yes";
}
