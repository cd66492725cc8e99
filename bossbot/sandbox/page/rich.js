// Telegram's rich messages → nodes: rich text inside blocks, and the buttons that blocks may hold.
//
// `how` is the message's (see telegram.js): it tells what buttons do. What the page cannot draw is shown as JSON.

import { div, h, link, span, unknown } from "./dom.js";
import { codeBlock, expandable, spoiler } from "./entities.js";
import { key } from "./keys.js";
import { t } from "./words.js";

const TAGS = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strikethrough: "s",
  subscript: "sub",
  superscript: "sup",
  marked: "mark",
  code: "code",
};
const MARKED = new Set(["mention", "hashtag", "cashtag", "bot_command", "bank_card_number", "text_mention"]);

/** Nodes for a rich message. */
export function renderRich(message, how) {
  return h("div", { class: "rich", dir: message.is_rtl ? "rtl" : "auto" }, renderBlocks(message.blocks, how));
}

function renderBlocks(blocks, how) {
  return (blocks ?? []).map((block) => {
    const draw = Object.hasOwn(BLOCKS, block?.type) ? BLOCKS[block.type] : null;
    return draw ? draw(block, how) : unknown(String(block?.type ?? "block"), block);
  });
}

/** A text: a string, a list of texts, or a text with a type. */
export function renderRichText(text, how) {
  if (text === null || text === undefined) return [];
  if (typeof text === "string") return text;
  if (Array.isArray(text)) return text.map((part) => renderRichText(part, how));
  const inner = () => renderRichText(text.text, how);
  const { type } = text;
  if (TAGS[type]) return h(TAGS[type], {}, inner());
  if (MARKED.has(type)) return span("mention", inner());
  switch (type) {
    case "spoiler":
      return spoiler(inner());
    case "url":
      return link(text.url, inner());
    case "email_address":
      return link(`mailto:${text.email_address}`, inner());
    case "mathematical_expression":
      return h("code", { class: "math" }, text.expression);
    case "custom_emoji":
      return text.alternative_text ?? "";
    case "button":
      return key(richButton(text.button), how, "inline");
    case "anchor":
      return [];
    case "phone_number":
    case "date_time":
    case "anchor_link":
    case "reference":
    case "reference_link":
      return h("span", {}, inner());
    default:
      return unknown(String(type), text);
  }
}

/** The words of a rich text, without their form. */
export function plainWords(text) {
  if (text === null || text === undefined) return "";
  if (typeof text === "string") return text;
  if (Array.isArray(text)) return text.map(plainWords).join("");
  if (text.type === "spoiler") return "▒▒▒";
  return plainWords(text.text ?? text.alternative_text ?? text.expression ?? text.button?.text);
}

/** The first words of a rich message, for lists and quotes. */
export function richExcerpt(message) {
  return (message?.blocks ?? []).map((block) => plainWords(block.text ?? block.summary)).join(" ");
}

const richButton = (button) => ({ ...button, text: plainWords(button.text) });
const credit = (block, how) => block.credit && h("cite", {}, renderRichText(block.credit, how));

const BLOCKS = {
  paragraph: (block, how) => h("p", {}, renderRichText(block.text, how)),
  heading: (block, how) =>
    h(
      "div",
      { class: `rich-heading size-${block.size}`, role: "heading", "aria-level": "4" },
      renderRichText(block.text, how),
    ),
  pre: (block, how) => codeBlock(block.language, renderRichText(block.text, how)),
  footer: (block, how) => h("p", { class: "rich-footer" }, renderRichText(block.text, how)),
  thinking: (block, how) => h("p", { class: "rich-thinking" }, renderRichText(block.text, how)),
  divider: () => h("hr", { class: "b-divider" }),
  anchor: () => [],
  mathematical_expression: (block) => h("p", {}, h("code", { class: "math" }, block.expression)),
  blockquote: (block, how) => h("blockquote", {}, renderBlocks(block.blocks, how), credit(block, how)),
  pullquote: (block, how) =>
    h("blockquote", { class: "rich-pull" }, renderRichText(block.text, how), credit(block, how)),
  expandable_blockquote: (block, how) => expandable([renderRichText(block.text, how), credit(block, how)]),
  list,
  table,
  details: (block, how) =>
    h(
      "details",
      { class: "rich-details", open: Boolean(block.is_open) },
      h("summary", {}, renderRichText(block.summary, how)),
      renderBlocks(block.blocks, how),
    ),
  buttons: (block, how) =>
    div(
      "rich-buttons",
      (block.buttons ?? []).map((button) => key(richButton(button), how)),
    ),
  photo: media,
  video: media,
  document: media,
  audio: media,
  animation: media,
  voice_note: media,
  map: (block, how) => [div("file", `📍 ${t("map")}`), caption(block, how)],
  collage: gallery,
  slideshow: gallery,
};

function list(block, how) {
  const item = (entry) => {
    const isBox = Boolean(entry.has_checkbox);
    const label = isBox ? (entry.is_checked ? "☑" : "☐") : (entry.label ?? "•");
    const words = isBox ? { role: "img", "aria-label": t(entry.is_checked ? "checked" : "unchecked") } : {};
    return h("li", {}, h("span", { class: "rich-label", ...words }, label), div("", renderBlocks(entry.blocks, how)));
  };
  return h("ul", { class: "rich-list" }, (block.items ?? []).map(item));
}

function table(block, how) {
  const cell = (part) =>
    h(
      part.is_header ? "th" : "td",
      { colspan: part.colspan, rowspan: part.rowspan, "data-align": part.align },
      renderRichText(part.text, how),
    );
  const rows = (block.cells ?? []).map((row) => h("tr", {}, row.map(cell)));
  return div(
    "table-wrap",
    h(
      "table",
      { class: block.is_compact ? "compact" : null },
      block.caption && h("caption", {}, renderRichText(block.caption, how)),
      h("tbody", {}, rows),
    ),
  );
}

/** No picture is fetched; its name or caption stands for it. */
function media(block, how) {
  const file = block[block.type];
  const name = (Array.isArray(file) ? null : file?.file_name) ?? t(block.type);
  return [div("file", `📎 ${name}`), caption(block, how)];
}

function gallery(block, how) {
  return [...renderBlocks(block.blocks, how), caption(block, how)];
}

function caption(block, how) {
  const text = block.caption?.text ?? null;
  return text && h("p", { class: "rich-footer" }, renderRichText(text, how), credit(block.caption, how));
}
