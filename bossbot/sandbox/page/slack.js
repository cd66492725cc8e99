// The Slack side: channels and direct messages, the open one, and a thread beside or over it.

import { Composer } from "./composer.js";
import { avatar, button, div, h, icon, span } from "./dom.js";
import { MessageList, emptyRow } from "./list.js";
import { Modal } from "./modal.js";
import { ask, complain } from "./notice.js";
import { Panel, redraw } from "./panel.js";
import { drawMessage, replyWords } from "./slack_message.js";
import { currentLanguage, t } from "./words.js";

const BOT_NAME = "bossbot";
const ACK_WAIT_S = 3; // Slack itself waits no longer

export class SlackPanel extends Panel {
  #threadTs = new Map(); // "person/channel" → the thread they have open
  #awaited = null; // {place, ts}: what was just sent; its thread opens when somebody answers in it
  #main = new MessageList("sl-list");
  #thread = new MessageList("sl-list");
  #mainStatus = h("div", { class: "sl-status", "aria-live": "polite" });
  #threadStatus = h("div", { class: "sl-status", "aria-live": "polite" });
  #mainComposer = new Composer({
    send: (text) => this.#say(text),
    attach: (file, text) => this.#attach(file, text),
    className: "sl-composer",
  });
  #threadComposer = new Composer({
    send: (text) => this.#say(text, this.#openThread),
    attach: (file, text) => this.#attach(file, text, this.#openThread),
    className: "sl-composer",
  });
  #threadHead = div("head-content");
  #prompts = h("div", { class: "chips prompts", role: "group", hidden: true });
  #aside = h(
    "aside",
    { class: "room thread" },
    div("room-head", this.#threadHead),
    this.#thread.root,
    this.#prompts,
    this.#threadStatus,
    this.#threadComposer.root,
  );
  #modal = new Modal((action, body) => this.act(action, body));

  constructor(root, badge) {
    super(root, "slack", badge);
    this.#aside.addEventListener("keydown", (event) => event.key === "Escape" && this.#setThread(null));
    this.frame([this.#main.root, this.#mainStatus, this.#mainComposer.root], [this.#aside, this.#modal.root]);
  }

  get places() {
    return (this.state.channels ?? []).toSorted((a, b) => isDirect(b) - isDirect(a));
  }

  numbers(channel, user) {
    return this.#visible(channel, user)
      .filter((message) => message.user !== user.id)
      .map((message) => Number(message.ts));
  }

  update(state) {
    super.update(state);
    this.#openAwaited();
  }

  get #place() {
    return `${this.me?.id}/${this.open?.id}`;
  }

  get #openThread() {
    return this.#threadTs.get(this.#place);
  }

  /** What a person sees of a channel: its messages, and the ephemeral ones that are theirs. */
  #visible(channel, user) {
    const own = (channel.ephemerals ?? []).filter((message) => message.for_user === user.id);
    return [...channel.messages, ...own].sort((a, b) => Number(a.ts) - Number(b.ts));
  }

  listPlaces(channels, entry) {
    const direct = (channel) =>
      entry(channel, [avatar(BOT_NAME), h("span", {}, BOT_NAME), span("app-badge", t("app"))]);
    const named = (channel) =>
      entry(channel, [h("span", { class: "hash", "aria-hidden": "true" }, "#"), h("span", {}, channel.name)]);
    const group = (title, nodes) => nodes.length > 0 && div("place-group", h("h3", {}, title), nodes);
    return [
      div("workspace", "Sandbox"),
      group(t("directMessages"), channels.filter(isDirect).map(direct)),
      group(t("channels"), channels.filter((channel) => !isDirect(channel)).map(named)),
    ];
  }

  drawOpen() {
    const channel = this.open;
    const title = titleOf(channel);
    const all = this.#visible(channel, this.me);
    const top = all.filter((message) => isTop(message) || message.subtype === "thread_broadcast");
    this.drawHead([channel.id, title], () => [
      isDirect(channel) && avatar(BOT_NAME),
      div("head-words", h("h3", {}, title)),
    ]);
    const rows = top.map((message, index) => this.#row(channel, message, top[index - 1], repliesTo(all, message.ts)));
    showIn(this.#main, this.#place, rows.length ? rows : [emptyRow()], title);
    this.#mainComposer.update(`sl/${this.#place}`, t("writeSlack", { name: title }), !rows.length);
    const running = (channel.threads ?? []).find((thread) => thread.session?.can_stop);
    this.#drawStatus(this.#mainStatus, channel, channel.statuses?.at(-1), running);
    this.#drawThread(channel, all);
    this.#modal.update(this.state.views ?? [], this.me, this.#ctx);
    this.expire(channel, "statuses");
  }

  #drawThread(channel, all) {
    const ts = this.#openThread;
    const root = ts && all.find((message) => message.ts === ts);
    this.#aside.hidden = !root;
    this.#aside.parentElement.dataset.thread = root ? "open" : "closed";
    if (!root) return;
    const place = `${this.#place}/${ts}`;
    redraw(this.#threadHead, JSON.stringify([place, currentLanguage()]), () => [
      div("head-words", h("h3", {}, t("thread")), h("span", {}, titleOf(channel))),
      button(
        { class: "icon-button", "aria-label": t("closeThread"), onclick: () => this.#setThread(null) },
        icon("close"),
      ),
    ]);
    const messages = [root, ...repliesTo(all, ts)];
    const rows = messages.map((message, index) => this.#row(channel, message, messages[index - 1]));
    if (rows.length > 1) rows.splice(1, 0, countRow(rows.length - 1));
    showIn(this.#thread, place, rows, t("thread"));
    this.#aside.setAttribute("aria-label", t("thread"));
    this.#threadComposer.update(`sl/${place}`, t("writeReply"));
    const thread = channel.threads?.find((one) => one.thread_ts === ts);
    const status = channel.statuses?.find((one) => one.thread_ts === ts);
    this.#drawStatus(this.#threadStatus, channel, status, thread?.session?.can_stop ? thread : null);
    redraw(this.#prompts, JSON.stringify([place, thread?.prompts]), () => this.#drawPrompts(thread));
  }

  /** What the bot suggests to ask in this thread. */
  #drawPrompts(thread) {
    const made = thread?.prompts?.prompts ?? [];
    this.#prompts.hidden = made.length === 0;
    const say = (prompt) => () => this.#say(prompt.message, thread.thread_ts).catch(() => {});
    return made.map((prompt) => button({ class: "chip", title: prompt.message, onclick: say(prompt) }, prompt.title));
  }

  /** "bossbot is working…", as the bot has set it for a thread, and Slack's own Stop while its session runs. */
  #drawStatus(node, channel, status, thread) {
    const words = status ? `${status.username ?? BOT_NAME} ${status.status}` : "";
    const stop = () =>
      this.act("stop", { channel: channel.id, thread_ts: thread.thread_ts, user: this.me.id }).catch(() => {});
    redraw(node, JSON.stringify([channel.id, words, thread?.thread_ts, currentLanguage()]), () => [
      span("", words),
      thread && button({ class: "stop-button", "data-focus": "stop", onclick: stop }, icon("stop"), t("stop")),
    ]);
  }

  /** Inside a thread `replies` is undefined: messages there have no thread of their own. */
  #row(channel, message, previous, replies) {
    const id = `${channel.id}/${message.ts}`;
    const summary = replies?.length ? [replies.length, replies.at(-1).ts] : null;
    const joins =
      Boolean(previous) &&
      !summary &&
      !message.for_user &&
      !previous.for_user &&
      previous.user === message.user &&
      Number(message.ts) - Number(previous.ts) < 300;
    const pressing = this.presses.signature(id);
    const how = {
      joins,
      summary,
      author: this.#author(message),
      ...this.#ctx,
      scope: id,
      isPressing: pressing !== "",
      openThread: replies && !message.for_user && (() => this.#setThread(message.ts)),
      isBusy: (element, block) => this.presses.isBusy(id, buttonKey(element, block)),
      press: (element, block, choice) => this.#press(channel, message, element, block, choice).catch(() => {}),
      select: (element, block, values) => this.#select(channel, message, element, values).catch(() => {}),
    };
    return {
      key: id,
      content: JSON.stringify([message.text, message.blocks, message.attachments, message.files]),
      dress: JSON.stringify([
        joins,
        summary,
        pressing,
        message.edited,
        message.reactions,
        message.stream,
        currentLanguage(),
      ]),
      make: () => drawMessage(message, how),
    };
  }

  #author({ user, bot_id: botId, username }) {
    const isBot = Boolean(botId) || user === this.state.bot_user_id;
    const person = this.state.users.find((item) => item.id === user);
    return { isBot, name: username ?? (isBot ? BOT_NAME : (person?.real_name ?? person?.name ?? user)) };
  }

  /** What blocks need to know of the workspace. */
  get #ctx() {
    return { names: this.#names, people: this.state.users, channels: this.places };
  }

  get #names() {
    const { users, bot_user_id: botId } = this.state;
    return {
      user: (id) => (id === botId ? BOT_NAME : (users.find((user) => user.id === id)?.name ?? id)),
      channel: (id) => this.places.find((channel) => channel.id === id)?.name ?? id,
    };
  }

  #setThread(ts) {
    if (ts) this.#threadTs.set(this.#place, ts);
    else this.#threadTs.delete(this.#place);
    this.#awaited = null;
    this.draw();
    (ts ? this.#threadComposer : this.#mainComposer).focus();
  }

  /** Somebody answered in the thread of what this person has just sent: show them the answer. */
  #openAwaited() {
    const awaited = this.#awaited;
    if (awaited?.place !== this.#place || !this.open) return;
    const replies = repliesTo(this.#visible(this.open, this.me), awaited.ts);
    if (!replies.some((message) => message.user !== this.me.id)) return;
    const isWriting = this.#mainComposer.isInUse;
    this.#awaited = null;
    if (isWriting) return;
    this.#setThread(awaited.ts);
  }

  /** Type for the person, as a scenario does: in the open thread when there is one. */
  type(text) {
    // Slack takes a slash for a command of its own; bossbot's words work with "!" there.
    return this.#say(text.replace(/^\//, "!"), this.#openThread);
  }

  /** A number that grows with what others have written, or have changed, in the open conversation. */
  get answered() {
    const others = (this.open?.messages ?? []).filter((message) => message.user !== this.me?.id);
    return others.reduce((sum, message) => sum + 1 + (message.edit_count ?? 0), 0);
  }

  async #say(text, threadTs) {
    const channel = this.open;
    if (!channel) return;
    if (/^\/[a-z]/.test(text) && !threadTs) return this.#command(channel, text);
    const place = this.#place;
    (threadTs ? this.#thread : this.#main).toEnd();
    const body = {
      channel: channel.id,
      user: this.me.id,
      text: this.#addressed(text, channel, threadTs),
      thread_ts: threadTs,
    };
    const answer = await this.act("say", body);
    if (!threadTs && answer?.ts) this.#awaited = { place, ts: answer.ts };
  }

  async #attach({ name, base64 }, text, threadTs) {
    const body = { channel: this.open.id, user: this.me.id, name, base64, comment: text, thread_ts: threadTs };
    await this.act("upload", body);
  }

  /** Slack takes what begins with a slash for a command, and the bot hears of it only as such. */
  async #command(channel, line) {
    const [command, ...rest] = line.split(" ");
    const body = { channel: channel.id, user: this.me.id, command, text: rest.join(" "), wait_s: ACK_WAIT_S };
    const { error } = await this.act("command", body);
    if (error) complain(this.shelf, new Error(error));
  }

  async #select(channel, message, element, values) {
    const body = { channel: channel.id, ts: message.ts, action_id: element.action_id, values, user: this.me.id };
    await this.act("select", body);
  }

  /** In a channel the first message of a thread addresses the bot, which hears nothing else there. */
  #addressed(text, channel, threadTs) {
    const isHeard = isDirect(channel) || threadTs || text.includes(`@${BOT_NAME}`);
    return isHeard ? text : `@${BOT_NAME} ${text}`;
  }

  async #press(channel, message, element, block, choice) {
    if (element.confirm && !(await ask(confirmWords(element.confirm)))) return;
    const body = {
      channel: channel.id,
      ts: message.ts,
      action_id: element.action_id,
      user: this.me.id,
      wait_s: ACK_WAIT_S,
    };
    if (choice) {
      body.label = choice.text.text;
      delete body.action_id;
    }
    const { acked } = await this.presses.during(`${channel.id}/${message.ts}`, buttonKey(element, block), () =>
      this.act("press", body),
    );
    if (!acked) complain(this.shelf, new Error(t("noAnswer")));
  }
}

function confirmWords({ title, text, confirm, deny, style }) {
  return {
    title: title?.text,
    text: text?.text ?? "",
    confirm: confirm?.text,
    deny: deny?.text,
    isDanger: style === "danger",
  };
}

/** Show rows in a list that may have shown another place before. */
function showIn(list, place, rows, label) {
  if (list.place !== place) list.clear();
  list.place = place;
  list.update(rows, label);
}

function countRow(count) {
  const words = replyWords(count);
  return { key: "count", content: "", dress: words, make: () => div("reply-count", words) };
}

const isDirect = (channel) => channel.id.startsWith("D");
const titleOf = (channel) => (isDirect(channel) ? BOT_NAME : `#${channel.name}`);
const isTop = (message) => !message.thread_ts || message.thread_ts === message.ts;
const repliesTo = (messages, ts) => messages.filter((message) => message.thread_ts === ts && message.ts !== ts);
const buttonKey = (element, block) => `${block.block_id ?? ""}/${element.action_id}`;
