// One Telegram message: its bubble, what it replies to, and the keyboard below it.

import { avatar, button, div, fileNode, h, icon, span, unknown } from "./dom.js";
import { renderEntities } from "./entities.js";
import { key } from "./keys.js";
import { renderRich, richExcerpt } from "./rich.js";
import { bytes, clock, t } from "./words.js";

const SERVICES = [
  "forum_topic_created",
  "forum_topic_edited",
  "forum_topic_closed",
  "forum_topic_reopened",
  "new_chat_members",
  "migrate_to_chat_id",
  "migrate_from_chat_id",
];

/** Draw a message. `how` tells whose side it stands on and what its buttons do (see telegram.js). */
export function drawMessage(message, how) {
  const service = SERVICES.find((kind) => message[kind]);
  if (service) return h("p", { class: "tg-service" }, t(service, { name: serviceName(message[service]) }));
  const { from = {}, date, edit_date: editDate } = message;
  const name = from.first_name ?? "?";
  const bubble = div(
    "bubble",
    how.isGroup && !how.isMine && !how.joins && div("tg-from", name),
    quoted(message, how),
    h("div", { class: "tg-text", dir: "auto" }, body(message, how)),
    reactions(message),
    div("tg-meta", editDate && span("edited", t("edited")), h("time", {}, clock(date))),
  );
  const reply =
    how.reply &&
    button(
      {
        class: "icon-button on-hover",
        "aria-label": `${t("reply")}: ${excerpt(message, 40)}`,
        "data-focus": "reply",
        onclick: how.reply,
      },
      icon("reply"),
    );
  return h(
    "article",
    {
      class: `tg-message ${how.isMine ? "out" : "in"} ${how.joins ? "joins" : ""} ${how.isDraft ? "draft" : ""}`,
      "data-message": message.message_id,
      "aria-label": `${name}, ${clock(date)}`,
    },
    how.isGroup && !how.isMine && avatar(name),
    div(
      "tg-stack",
      div("tg-line", bubble, reply),
      how.stop && button({ class: "stop-button", "data-focus": "stop", onclick: how.stop }, icon("stop"), t("stop")),
      keyboard(message.reply_markup, how),
    ),
  );
}

/** Whom or what a service message is about. */
function serviceName(value) {
  if (Array.isArray(value)) return value.map((user) => user.first_name).join(", ");
  return value?.name ?? "";
}

function body(message, how) {
  const parts = [
    message.rich_message && renderRich(message.rich_message, how),
    message.photo && photo(message.photo),
    message.document && document_(message.document),
    message.text !== undefined && renderEntities(message.text, message.entities),
    message.caption && renderEntities(message.caption, message.caption_entities),
  ];
  return parts.some(Boolean) ? parts : unknown(t("unsupported"), message);
}

/** The largest of a photo's sizes. */
function photo(sizes) {
  return fileNode("telegram", { id: sizes.at(-1).file_id, name: t("photo"), isPicture: true });
}

function document_({ file_id: id, file_name: name, file_size: size }) {
  return fileNode("telegram", { id, name: name ?? t("document"), size: bytes(size ?? 0) });
}

/** How people and the bot have reacted: each mark once, with how often. */
function reactions({ reactions: own = [], reacted = [] }) {
  const counts = new Map();
  for (const { emoji } of [...own, ...reacted.flatMap((one) => one.reaction)])
    if (emoji) counts.set(emoji, (counts.get(emoji) ?? 0) + 1);
  const marks = [...counts].map(([emoji, count]) => span("reaction", count > 1 ? `${emoji} ${count}` : emoji));
  return marks.length > 0 && div("reactions", marks);
}

function quoted({ reply_to: id }, how) {
  const target = id && how.find(id);
  return target && div("tg-reply", h("strong", {}, target.from?.first_name ?? ""), h("span", {}, excerpt(target, 90)));
}

/** A message's text in one short line. */
export function excerpt(message, length) {
  const { text, caption, document: file, rich_message: rich } = message;
  const characters = [...String(text ?? caption ?? file?.file_name ?? (rich ? richExcerpt(rich) : "…")).replace(/\s+/g, " ")];
  return characters.length > length ? `${characters.slice(0, length - 1).join("")}…` : characters.join("");
}

/** Inline keyboards press, reply keyboards type. */
function keyboard(markup, how) {
  const rows = markup?.inline_keyboard ?? markup?.keyboard ?? [];
  return (
    rows.length > 0 &&
    div(
      "tg-keys",
      rows.map((row) =>
        div(
          "tg-keys-row",
          row.map((button) => key(button, how)),
        ),
      ),
    )
  );
}
