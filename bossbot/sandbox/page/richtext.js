// Slack's rich_text block → nodes: sections, lists, preformatted text and quotes, with styled pieces.

import { div, h, link, span, unknown } from "./dom.js";
import { codeBlock } from "./entities.js";
import { emoji } from "./mrkdwn.js";

/** Nodes for a rich_text block (or a rich_text table cell). */
export function renderRichText(block, names) {
  return (block.elements ?? []).map((part) => renderPart(part, names));
}

function renderPart(part, names) {
  const inner = () => (part.elements ?? []).map((piece) => renderPiece(piece, names));
  switch (part.type) {
    case "rich_text_section":
      return div("r-section", inner());
    case "rich_text_preformatted":
      return codeBlock(part.language, inner());
    case "rich_text_quote":
      return h("blockquote", {}, inner());
    case "rich_text_list":
      return renderList(part, names);
    default:
      return unknown(String(part.type), part);
  }
}

function renderList(part, names) {
  const ordered = part.style === "ordered";
  const depth = Math.min(Number(part.indent) || 0, 8);
  const items = (part.elements ?? []).map((item) => h("li", {}, renderPart(item, names)));
  return h(
    ordered ? "ol" : "ul",
    { class: `r-list indent-${depth}`, start: ordered && part.offset ? part.offset + 1 : null },
    items,
  );
}

const STYLES = [
  ["code", "code"],
  ["bold", "strong"],
  ["italic", "em"],
  ["strike", "s"],
  ["underline", "u"],
];

function renderPiece(piece, names) {
  const base = plain(piece, names);
  return STYLES.reduce((node, [style, tag]) => (piece.style?.[style] ? h(tag, {}, node) : node), base);
}

function plain(piece, names) {
  const mention = (text) => span("mention", text);
  switch (piece.type) {
    case "text":
      return piece.text ?? "";
    case "link":
      return link(piece.url, piece.text ?? piece.url);
    case "emoji":
      return emoji(piece.name) ?? fromUnicode(piece.unicode) ?? `:${piece.name}:`;
    case "user":
      return mention(`@${names.user(piece.user_id)}`);
    case "channel":
      return mention(`#${names.channel(piece.channel_id)}`);
    case "usergroup":
      return mention(`@${piece.usergroup_id}`);
    case "broadcast":
      return span("mention broadcast", `@${piece.range}`);
    case "date":
      return piece.fallback ?? String(piece.timestamp);
    default:
      return unknown(String(piece.type), piece);
  }
}

/** "1f44d-1f3fd" → the characters, or null when it is not such a list of code points. */
function fromUnicode(codes) {
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(codes ?? "")) return null;
  const points = codes.split("-").map((code) => parseInt(code, 16));
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : null;
}
