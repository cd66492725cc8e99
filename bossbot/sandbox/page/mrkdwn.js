// Slack's mrkdwn → nodes: *bold* _italic_ ~strike~ `code`, fences, quotes, <…> tokens, :emoji:.
//
// `names` is {user(id), channel(id)}: who a mention is about, as the workspace calls them.

import { h, link, span } from "./dom.js";
import { codeBlock } from "./entities.js";
import { inline } from "./inline.js";

/** Slack escapes exactly three characters; undo that once, on what will be text. */
export function unescape(text) {
  return text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}

/** Nodes for a mrkdwn text. */
export function renderMrkdwn(text, names) {
  return String(text)
    .split(/```/)
    .flatMap((part, index, all) => {
      const isFence = index % 2 === 1 && index < all.length - 1;
      if (isFence) return [codeBlock(null, [unescape(part.replace(/^\n|\n$/g, ""))])];
      const unclosed = index % 2 === 1 ? "```" : "";
      return paragraphs(unclosed + trimAround(part, index > 0, index < all.length - 1), names);
    });
}

/** A fence is a block of its own: the line break next to it is not another empty line. */
function trimAround(part, afterFence, beforeFence) {
  let text = part;
  if (afterFence) text = text.replace(/^\n/, "");
  if (beforeFence) text = text.replace(/\n$/, "");
  return text;
}

/** Runs of quoted lines become quotes, the lines between them text. */
function paragraphs(text, names) {
  const out = [];
  for (const line of text.split("\n")) {
    const quoted = /^(?:&gt;|>) ?(.*)$/.exec(line);
    const last = out.at(-1);
    const content = quoted ? quoted[1] : line;
    if (last && last.quoted === Boolean(quoted)) last.lines.push(content);
    else out.push({ quoted: Boolean(quoted), lines: [content] });
  }
  return out.flatMap(({ quoted, lines }) => {
    const nodes = inlineMrkdwn(lines.join("\n"), names);
    return quoted ? [h("blockquote", {}, nodes)] : nodes;
  });
}

function inlineMrkdwn(text, names) {
  const styled = (tag) => (match) => h(tag, {}, inlineMrkdwn(match[1], names));
  return inline(text, [
    { pattern: /<([^<>\n]+)>/g, make: (match) => token(match[1], names) },
    { pattern: /`([^`\n]+)`/g, make: (match) => h("code", {}, unescape(match[1])) },
    { pattern: /(?<![\w*])\*(?! )([^*\n]+?)(?<! )\*(?![\w*])/g, make: styled("strong") },
    { pattern: /(?<![\w_])_(?! )([^_\n]+?)(?<! )_(?![\w_])/g, make: styled("em") },
    { pattern: /(?<![\w~])~(?! )([^~\n]+?)(?<! )~(?![\w~])/g, make: styled("s") },
    { pattern: /:([a-z0-9_+'-]+):/g, make: (match) => emoji(match[1]) },
  ]).map((piece) => (typeof piece === "string" ? unescape(piece) : piece));
}

/** What stands between < and >: a mention, a broadcast, a date, or a link. */
export function token(body, names) {
  const bar = body.indexOf("|");
  const target = bar < 0 ? body : body.slice(0, bar);
  const label = bar < 0 ? null : unescape(body.slice(bar + 1));
  const mention = (text) => span("mention", text);
  if (target.startsWith("@")) return mention(`@${label ?? names.user(target.slice(1))}`);
  if (target.startsWith("#")) return mention(`#${label ?? names.channel(target.slice(1))}`);
  if (target.startsWith("!subteam^")) return mention(label ?? `@${target.slice(9)}`);
  if (target.startsWith("!date^")) return label ?? target;
  if (target.startsWith("!")) return span("mention broadcast", `@${label ?? target.slice(1)}`);
  const address = unescape(target);
  return link(address, label ?? address.replace(/^mailto:/, ""));
}

const EMOJI = {
  white_check_mark: "✅",
  heavy_check_mark: "✔️",
  x: "❌",
  warning: "⚠️",
  no_entry: "⛔",
  no_entry_sign: "🚫",
  hourglass: "⌛",
  hourglass_flowing_sand: "⏳",
  stopwatch: "⏱️",
  alarm_clock: "⏰",
  rocket: "🚀",
  gear: "⚙️",
  wrench: "🔧",
  hammer: "🔨",
  bulb: "💡",
  mag: "🔍",
  eyes: "👀",
  lock: "🔒",
  key: "🔑",
  bell: "🔔",
  pushpin: "📌",
  memo: "📝",
  clipboard: "📋",
  books: "📚",
  package: "📦",
  file_folder: "📁",
  bar_chart: "📊",
  link: "🔗",
  robot_face: "🤖",
  speech_balloon: "💬",
  thought_balloon: "💭",
  question: "❓",
  exclamation: "❗",
  information_source: "ℹ️",
  arrow_right: "➡️",
  repeat: "🔁",
  recycle: "♻️",
  octagonal_sign: "🛑",
  black_square_for_stop: "⏹️",
  double_vertical_bar: "⏸️",
  arrow_forward: "▶️",
  large_green_circle: "🟢",
  large_blue_circle: "🔵",
  large_yellow_circle: "🟡",
  red_circle: "🔴",
  white_circle: "⚪",
  black_circle: "⚫",
  zap: "⚡",
  fire: "🔥",
  tada: "🎉",
  sparkles: "✨",
  bug: "🐛",
  broom: "🧹",
  wastebasket: "🗑️",
  "+1": "👍",
  thumbsup: "👍",
  "-1": "👎",
  wave: "👋",
  raised_hand: "✋",
  pray: "🙏",
  heart: "❤️",
  smile: "😄",
  thinking_face: "🤔",
};

/** The character of an emoji name, or null when the page does not know it. */
export function emoji(name) {
  return Object.hasOwn(EMOJI, name) ? EMOJI[name] : null;
}
