// The Telegram side: chats with topics, bubbles, keyboards, and what the person does with them.

import { Composer } from "./composer.js";
import { avatar, button, div, h, span } from "./dom.js";
import { MessageList, emptyRow } from "./list.js";
import { ask, toast } from "./notice.js";
import { Panel, redraw } from "./panel.js";
import { drawMessage, excerpt } from "./telegram_message.js";
import { clock, currentLanguage, t } from "./words.js";

const BOT_NAME = "bossbot";
const ANSWER_WAIT_S = 15; // the real app waits longer still

export class TelegramPanel extends Panel {
  #topicId = new Map(); // chat id → the topic looked at (absent: all)
  #asked = null; // the message that last asked for a reply
  #shown = "";
  #list = new MessageList("tg-list");
  #topics = h("div", { class: "topics", role: "group", hidden: true });
  #composer = new Composer({
    send: (text, reply) => this.#say(text, reply),
    attach: (file, text) => this.#attach(file, text),
    className: "tg-composer",
  });

  constructor(root, badge) {
    super(root, "telegram", badge);
    this.frame([this.#topics, this.#list.root, this.#composer.root]);
  }

  get places() {
    return (this.state.chats ?? []).toSorted((a, b) => isPrivate(b) - isPrivate(a));
  }

  numbers(chat, user) {
    return chat.messages.filter((message) => message.from?.id !== user.id).map((message) => message.message_id);
  }

  listPlaces(chats, entry) {
    const line = (chat, last) => [
      picture(chat),
      span(
        "place-words",
        span("place-line", span("place-name", titleOf(chat)), last && h("time", {}, clock(last.date))),
        span("place-last", last ? excerpt(last, 60) : ""),
      ),
    ];
    return div(
      "tg-places",
      chats.map((chat) => entry(chat, line(chat, chat.messages.at(-1)))),
    );
  }

  drawOpen() {
    const chat = this.open;
    const members = this.state.users.filter((user) => chat.members?.includes(user.id)).map((user) => user.name);
    const about = chat.action ? t("typing") : isPrivate(chat) ? t("bot") : members.join(", ");
    this.drawHead([chat.id, about], () => [
      picture(chat),
      div("head-words", h("h3", {}, titleOf(chat)), h("span", { class: chat.action && "typing" }, about)),
    ]);
    this.#drawTopics(chat);
    this.#drawMessages(chat);
    this.#offerReply(chat);
    this.expire(chat, "drafts");
    this.expire(chat, "action");
  }

  /** Topics of a forum, as far as the chat names them or its messages are in them. */
  #drawTopics(chat) {
    const named = new Map((chat.topics ?? []).map((topic) => [topic.message_thread_id, topic.name]));
    for (const { message_thread_id: id } of chat.messages)
      if (id && !named.has(id)) named.set(id, t("topic", { n: id }));
    this.#topics.hidden = named.size === 0;
    const current = this.#topicId.get(chat.id);
    const choose = (id) => () => {
      this.#topicId.set(chat.id, id);
      this.draw();
    };
    const entries = [[undefined, t("all")], ...named];
    redraw(this.#topics, JSON.stringify([chat.id, entries, current]), () =>
      entries.map(([id, name]) =>
        button(
          { class: "topic", "data-focus": `topic-${id}`, "aria-pressed": String(id === current), onclick: choose(id) },
          name,
        ),
      ),
    );
  }

  #drawMessages(chat) {
    const topic = this.#topicId.get(chat.id);
    const place = `${this.me.id}/${chat.id}/${topic ?? ""}`;
    if (place !== this.#shown) this.#list.clear();
    this.#shown = place;
    const inTopic = (item) => topic === undefined || item.message_thread_id === topic;
    const messages = chat.messages.filter(inTopic);
    const rows = messages.map((message, index) => this.#row(chat, message, messages[index - 1]));
    rows.push(...(chat.drafts ?? []).filter(inTopic).map((draft) => this.#draftRow(chat, draft)));
    this.#list.update(rows.length ? rows : [emptyRow()], titleOf(chat));
    this.#composer.update(`tg/${place}`, t("writeTelegram"), !messages.length);
  }

  #row(chat, message, previous) {
    const id = `${chat.id}/${message.message_id}`;
    const isMine = message.from?.id === this.me.id;
    const joins = Boolean(previous) && previous.from?.id === message.from?.id && message.date - previous.date < 300;
    const pressing = this.presses.signature(id);
    const how = {
      isMine,
      isGroup: !isPrivate(chat),
      joins,
      isPressing: pressing !== "",
      find: (other) => chat.messages.find((item) => item.message_id === other),
      isBusy: (button) => this.presses.isBusy(id, button.callback_data),
      press: (button) => this.#press(chat, message, button),
      say: (text) => this.#say(text, null).catch(() => {}),
      reply: () => this.#composer.setReply(asTarget(message)),
    };
    return {
      key: id,
      content: JSON.stringify([
        message.text,
        message.entities,
        message.caption,
        message.reply_markup,
        message.rich_message,
        message.photo,
      ]),
      dress: JSON.stringify([isMine, joins, pressing, message.edit_date, message.reactions, message.reacted, currentLanguage()]),
      make: () => drawMessage(message, how),
    };
  }

  /** A streamed answer that is still being written; no edit of it flashes. */
  #draftRow(chat, draft) {
    const { text, rich_message: rich } = draft;
    const message = {
      ...draft,
      text: rich ? undefined : text || t("thinking"),
      date: draft.t,
      from: { is_bot: true, first_name: BOT_NAME },
    };
    const stop = () =>
      this.act("stop", {
        chat_id: chat.id,
        user_id: this.me.id,
        draft_id: draft.draft_id,
        thread_id: draft.message_thread_id ?? undefined,
      }).catch(() => {});
    const how = { isDraft: true, isBusy: () => false, find: () => null, stop: draft.can_stop && !draft.stopped ? stop : null };
    const dress = JSON.stringify([draft, currentLanguage()]);
    return { key: `draft-${draft.draft_id}`, content: "", dress, make: () => drawMessage(message, how) };
  }

  /** Type for the person, as a scenario does. */
  type(text) {
    return this.#say(text, null);
  }

  /** A number that grows with what others have written, or have changed, in the open chat. */
  get answered() {
    const others = (this.open?.messages ?? []).filter((message) => message.from?.id !== this.me?.id);
    return others.reduce((sum, message) => sum + 1 + (message.edited ?? 0), 0);
  }

  async #attach({ name, type, base64 }, text) {
    const chat = this.open;
    this.#list.toEnd();
    await this.act("send_file", {
      chat_id: chat.id,
      user_id: this.me.id,
      name,
      content_base64: base64,
      mime_type: type || undefined,
      caption: text,
      thread_id: this.#topicId.get(chat.id),
    });
  }

  async #say(text, replyTo) {
    const chat = this.open;
    if (!chat) return;
    this.#list.toEnd();
    await this.act("say", {
      chat_id: chat.id,
      user_id: this.me.id,
      text,
      thread_id: this.#topicId.get(chat.id),
      reply_to: replyTo?.id,
    });
  }

  /** The button turns until the bot answers the press, or a little while; the answer is shown. */
  async #press(chat, message, { callback_data: data }) {
    const id = `${chat.id}/${message.message_id}`;
    const body = { chat_id: chat.id, message_id: message.message_id, data, user_id: this.me.id, wait_s: ANSWER_WAIT_S };
    const { answer } = await this.presses.during(id, data, () => this.act("press", body));
    if (answer?.text && answer.show_alert) await ask({ text: answer.text, deny: null });
    else if (answer?.text) toast(this.shelf, answer.text);
  }

  /** A bot may ask the client to open its reply field (force_reply): once for each such message. */
  #offerReply(chat) {
    const last = chat.messages.at(-1);
    const key = `${this.#shown}/${last?.message_id}`;
    if (!last?.reply_markup?.force_reply || last.from?.id === this.me.id || this.#asked === key) return;
    this.#asked = key;
    this.#composer.setReply(asTarget(last));
  }
}

const isPrivate = (chat) => chat.type === "private";
/** A private chat is named for the one at its other end: the bot. */
const titleOf = (chat) => (isPrivate(chat) ? BOT_NAME : chat.title);
const picture = (chat) => avatar(titleOf(chat));
const asTarget = (message) => ({
  id: message.message_id,
  name: message.from?.first_name ?? "",
  text: excerpt(message, 80),
});
