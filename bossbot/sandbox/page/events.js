// The bot's own events, as its session feed tells them: what was said, planned, asked, decided and done.

import { h, span } from "./dom.js";
import { openable } from "./log_view.js";
import { clock, t } from "./words.js";

const KINDS = ["session", "plan", "task", "approval", "tool", "worker"];
/** Fields of a payload that say most about it, best first. */
const TELLING = [
  "content",
  "title",
  "summary",
  "objective",
  "label",
  "description",
  "change_reason",
  "reason",
  "error",
  "current_step",
  "preview",
  "tool",
  "condition",
  "status",
  "kind",
];

export const EVENTS = {
  id: "events",
  hint: () => t("eventsHint"),
  none: () => t("noEvents"),
  filters: [["all", () => t("all")], ...KINDS.map((kind) => [kind, () => t(`kind_${kind}`)])],
  matches: (filter, event) => filter === "all" || kindOf(event) === filter,
  isShown: (event) => typeof event?.type === "string",
  row,
  same: (old, event) => old.id === event.id,
};

/** "task.step.started" is of the kind "task". */
export const kindOf = (event) => event.type.split(".")[0];

function row(event) {
  const time = Date.parse(event.timestamp) / 1000;
  const head = [
    h("time", {}, clock(time, true)),
    span(`call-platform kind-${kindOf(event)}`, String(event.source ?? "")),
    span("call-method", event.type),
    span("call-words", eventWords(event)),
    span("call-end muted", String(event.task_id ?? event.session_id ?? "").slice(-6)),
  ];
  return openable(`call ${/failed|rejected|blocked/.test(event.type) ? "refused" : ""}`, head, event);
}

/** What an event says, in one line. */
export function eventWords({ payload }) {
  const found = TELLING.map((name) => payload?.[name]).find((value) => typeof value === "string" && value !== "");
  return (found ?? "").replace(/\s+/g, " ").slice(0, 160);
}

/** Follow the bot's feed through the sandbox, over restarts of the bot: the browser comes again by itself, with the
 *  last id it has seen, as long as it gets a stream, which the sandbox gives also while the bot is away. */
export class SessionFeed {
  #on;
  #source = null;
  #lastId = "";

  /** `on(event)` hears each event. */
  constructor(on) {
    this.#on = on;
  }

  /** The sandbox has said whether it knows a feed. A sandbox that was restarted may know it later than before. */
  follow(isThere) {
    if (!isThere) this.#source?.close();
    if (!isThere || (this.#source && this.#source.readyState !== EventSource.CLOSED)) return;
    const place = this.#lastId ? `?last_event_id=${encodeURIComponent(this.#lastId)}` : "";
    this.#source = new EventSource(`/sandbox/feed${place}`);
    this.#source.addEventListener("message", (message) => this.#heard(message));
  }

  #heard(message) {
    this.#lastId = message.lastEventId || this.#lastId;
    this.#on(JSON.parse(message.data));
  }
}
