// One Telegram message: its bubble, what it replies to, and the keyboard below it.

import { avatar, button, div, h, icon, span, unknown } from "./dom.js";
import { renderEntities } from "./entities.js";
import { key } from "./keys.js";
import { renderRich, richExcerpt } from "./rich.js";
import { clock, t } from "./words.js";

const SERVICES = ["forum_topic_created", "forum_topic_edited", "forum_topic_closed", "forum_topic_reopened"];

/** Draw a message. `how` tells whose side it stands on and what its buttons do (see telegram.js). */
export function drawMessage(message, how) {
  const service = SERVICES.find((kind) => message[kind]);
  if (service) return h("p", { class: "tg-service" }, t(service, { name: "", ...message[service] }));
  const { from = {}, date, edit_date: editDate } = message;
  const name = from.first_name ?? "?";
  const bubble = div(
    "bubble",
    how.isGroup && !how.isMine && !how.joins && div("tg-from", name),
    quoted(message, how),
    h("div", { class: "tg-text", dir: "auto" }, body(message, how)),
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

function body(message, how) {
  const parts = [
    message.rich_message && renderRich(message.rich_message, how),
    message.photo && div("file", `🖼 ${t("photo")}`),
    message.document && div("file", `📎 ${message.document.file_name ?? ""}`),
    message.text !== undefined && renderEntities(message.text, message.entities),
    message.caption && renderEntities(message.caption, message.caption_entities),
  ];
  return parts.some(Boolean) ? parts : unknown(t("unsupported"), message);
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
