// Slack's markdown block → nodes. The part of Markdown that agents write: headings, lists, tables,
// fences, quotes, rules, emphasis, code, links. HTML in it is text like any other.

import { div, h, link } from "./dom.js";
import { codeBlock } from "./entities.js";
import { inline } from "./inline.js";
import { token, emoji } from "./mrkdwn.js";

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** Nodes for a Markdown text. */
export function renderMarkdown(text, names) {
  const lines = String(text).replace(/\r\n?/g, "\n").split("\n");
  const out = [];
  while (lines.length) out.push(takeBlock(lines, names));
  return out.filter(Boolean);
}

function takeBlock(lines, names) {
  if (!lines[0].trim()) return void lines.shift();
  const fence = FENCE.exec(lines[0]);
  if (fence) return takeFence(lines, fence);
  const heading = HEADING.exec(lines[0]);
  if (heading) {
    lines.shift();
    return h(
      "p",
      { class: `heading level-${heading[1].length}`, role: "heading", "aria-level": heading[1].length + 2 },
      inlineMarkdown(heading[2], names),
    );
  }
  if (RULE.test(lines[0])) {
    lines.shift();
    return h("hr");
  }
  if (QUOTE.test(lines[0])) {
    const inner = takeWhile(lines, (line) => QUOTE.test(line)).map((line) => QUOTE.exec(line)[1]);
    return h("blockquote", {}, renderMarkdown(inner.join("\n"), names));
  }
  if (ITEM.test(lines[0])) return takeList(lines, names);
  if (lines.length > 1 && lines[0].includes("|") && TABLE_RULE.test(lines[1])) return takeTable(lines, names);
  const first = lines.shift();
  return h("p", {}, inlineMarkdown([first, ...takeWhile(lines, isParagraph)].join("\n"), names));
}

function isParagraph(line) {
  return line.trim() && ![FENCE, HEADING, RULE, QUOTE, ITEM].some((pattern) => pattern.test(line));
}

function takeWhile(lines, keep) {
  const taken = [];
  while (lines.length && keep(lines[0])) taken.push(lines.shift());
  return taken;
}

/** A fence runs to a line of its own marks, or to the end when it is never closed. */
function takeFence(lines, [, marks, language]) {
  lines.shift();
  const isEnd = (line) => line.trim().startsWith(marks) && !line.trim().replaceAll(marks[0], "");
  const body = takeWhile(lines, (line) => !isEnd(line));
  lines.shift();
  return codeBlock(language, [body.join("\n")]);
}

/** Items deeper than the first belong to a list inside the item before them. */
function takeList(lines, names) {
  const [, indent, mark] = ITEM.exec(lines[0]);
  const ordered = /\d/.test(mark);
  const list = h(ordered ? "ol" : "ul", ordered ? { start: parseInt(mark, 10) } : {});
  for (let item; lines.length && (item = ITEM.exec(lines[0])) && item[1].length >= indent.length;) {
    if (item[1].length > indent.length + 1 && list.lastChild) {
      list.lastChild.append(takeList(lines, names));
      continue;
    }
    lines.shift();
    const more = takeWhile(lines, isParagraph).map((line) => line.trim());
    list.append(
      h("li", {}, checkbox(item[3]), inlineMarkdown([item[3].replace(/^\[[ xX]\] /, ""), ...more].join("\n"), names)),
    );
  }
  return list;
}

function checkbox(text) {
  const box = /^\[([ xX])\] /.exec(text);
  return box && (box[1] === " " ? "☐ " : "☑ ");
}

function takeTable(lines, names) {
  const cells = (line) =>
    line
      .trim()
      .replace(/^\||\|$/g, "")
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll("\\|", "|"));
  const row = (tag) => (line) =>
    h(
      "tr",
      {},
      cells(line).map((cell) => h(tag, {}, inlineMarkdown(cell, names))),
    );
  const head = row("th")(lines.shift());
  lines.shift();
  const rows = takeWhile(lines, (line) => line.includes("|")).map(row("td"));
  return div("table-wrap", h("table", {}, h("thead", {}, head), h("tbody", {}, rows)));
}

function inlineMarkdown(text, names) {
  const styled = (tag, group) => (match) => h(tag, {}, inlineMarkdown(match[group], names));
  return inline(text, [
    { pattern: /\\([\\`*_{}[\]()#+\-.!|<>~])/g, make: (match) => match[1] },
    { pattern: /(`+)(.+?)\1(?!`)/gs, make: (match) => h("code", {}, match[2]) },
    {
      pattern: /\[([^\]\n]+)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)/g,
      make: (match) => link(match[2], inlineMarkdown(match[1], names)),
    },
    {
      pattern: /<([@#!][^<>\s|]+(?:\|[^<>\n]+)?|https?:\/\/[^<>\s]+|mailto:[^<>\s]+)>/g,
      make: (match) => token(match[1], names),
    },
    { pattern: /\*\*(?!\s)(.+?)(?<!\s)\*\*/gs, make: styled("strong", 1) },
    { pattern: /(?<![\w_])__(?!\s)(.+?)(?<!\s)__(?![\w_])/gs, make: styled("strong", 1) },
    { pattern: /~~(?!\s)(.+?)(?<!\s)~~/gs, make: styled("s", 1) },
    { pattern: /(?<![\w*])\*(?![\s*])([^*\n]+?)(?<!\s)\*(?![\w*])/g, make: styled("em", 1) },
    { pattern: /(?<![\w_])_(?![\s_])([^_\n]+?)(?<!\s)_(?![\w_])/g, make: styled("em", 1) },
    { pattern: /(?<![\w/])https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]]/g, make: (match) => link(match[0], match[0]) },
    { pattern: /:([a-z0-9_+'-]+):/g, make: (match) => emoji(match[1]) },
  ]);
}
