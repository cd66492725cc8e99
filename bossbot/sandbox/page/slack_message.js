// One Slack message: author, text or blocks, and the way into its thread.

import { renderBlocks } from "./blocks.js";
import { avatar, button, div, fileNode, h, icon, link, span } from "./dom.js";
import { emoji, renderMrkdwn } from "./mrkdwn.js";
import { bytes, clock, t } from "./words.js";

/** Draw a message. `how` tells who wrote it and what its buttons do (see slack.js). */
export function drawMessage(message, how) {
  const { author, joins, summary, openThread } = how;
  const time = clock(message.ts);
  const opener = (name, label, ...children) =>
    button({ class: name, "aria-label": label, "data-focus": name, onclick: openThread }, icon("thread"), children);
  return h(
    "article",
    {
      class: `sl-message ${joins ? "joins" : ""} ${message.for_user ? "ephemeral" : ""}`,
      "data-message": message.ts,
      "aria-label": `${author.name}, ${time}`,
    },
    joins ? span("sl-gutter", time) : avatar(author.name),
    div(
      "sl-content",
      message.for_user && div("sl-only-you", icon("eye"), t("onlyYou")),
      !joins &&
        div("sl-head", h("strong", {}, author.name), author.isBot && span("app-badge", t("app")), h("time", {}, time)),
      body(message, how),
      message.stream && streamed(message.stream),
      (message.live ?? []).length > 0 && acting(message.live),
      reactions(message.reactions ?? []),
      summary && opener("thread-link", null, h("strong", {}, replyWords(summary[0])), h("time", {}, clock(summary[1]))),
    ),
    openThread && opener("icon-button on-hover", t("reply")),
  );
}

/** "3 replies" */
export function replyWords(count) {
  return count === 1 ? t("oneReply") : t("replies", { n: count });
}

function body(message, how) {
  const { text, files = [], attachments = [] } = message;
  // What a person typed is in `text` with its mentions; the blocks beside it hold it unread.
  const blocks = how.author.isBot ? (message.blocks ?? []) : [];
  return h(
    "div",
    { class: "sl-body", dir: "auto" },
    blocks.length ? renderBlocks(blocks, how) : span("sl-text", renderMrkdwn(text ?? "", how.names)),
    message.edited && span("edited", ` (${t("edited")})`),
    files.map(fileOf),
    attachments.map((part) => attachment(part, how)),
  );
}

function fileOf(file) {
  return fileNode("slack", {
    id: file.id,
    name: file.title || file.name || file.id,
    size: bytes(file.size ?? 0),
    isPicture: /^image\/(png|jpeg|gif)$/.test(file.mimetype ?? ""),
    alt: file.alt_txt,
  });
}

/** What is left of Slack's older form of cards: a coloured side, a title, fields. */
function attachment(part, how) {
  if (part.blocks) return div("attachment", renderBlocks(part.blocks, how));
  const words = (value) => renderMrkdwn(String(value ?? ""), how.names);
  const fields = (part.fields ?? []).map((field) => div("field", h("strong", {}, field.title), div("", words(field.value))));
  return div(
    "attachment",
    part.pretext && div("", words(part.pretext)),
    part.title && h("strong", {}, part.title_link ? link(part.title_link, part.title) : part.title),
    (part.text || !part.title) && div("", words(part.text ?? part.fallback)),
    fields.length > 0 && div("b-fields", fields),
    part.footer && div("muted", part.footer),
  );
}

/** How a streamed message stands: being written, or how it ended. */
function streamed({ state, by }) {
  if (state === "in_progress") return h("span", { class: "stream-cursor", role: "img", "aria-label": t("streaming") });
  return state === "errored" || by ? span("stream-end muted", t(by === "user" ? "stoppedByUser" : "streamBroken")) : null;
}

/** Words that would notify people or mislead them on the real Slack; a bot's mistake, so it is shown. */
function acting(live) {
  return h("div", { class: "live-words", role: "note" }, t("acts"), live.map((one) => h("code", {}, String(one.what))));
}

function reactions(list) {
  const one = ({ name, count }) =>
    h("span", { class: "reaction", title: name }, `${emoji(name) ?? `:${name}:`} ${count ?? 1}`);
  return list.length > 0 && div("reactions", list.map(one));
}
