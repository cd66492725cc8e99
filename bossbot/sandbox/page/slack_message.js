// One Slack message: author, text or blocks, and the way into its thread.

import { renderBlocks } from "./blocks.js";
import { avatar, button, div, h, icon, span } from "./dom.js";
import { emoji, renderMrkdwn } from "./mrkdwn.js";
import { clock, t } from "./words.js";

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
    files.map((file) => div("file", `📎 ${file.title ?? file.name ?? ""}`)),
    attachments.map((part) =>
      div("attachment", part.blocks ? renderBlocks(part.blocks, how) : (part.text ?? part.fallback)),
    ),
  );
}

function reactions(list) {
  const one = ({ name, count }) =>
    h("span", { class: "reaction", title: name }, `${emoji(name) ?? `:${name}:`} ${count ?? 1}`);
  return list.length > 0 && div("reactions", list.map(one));
}
