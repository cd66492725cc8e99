// The console: the bot's events, its calls, and the developer's tools, one at a time.

import { CALLS, callWords } from "./calls.js";
import { button, div, fill, h, icon, span } from "./dom.js";
import { EVENTS, eventWords } from "./events.js";
import { LogView } from "./log_view.js";
import { choices } from "./prefs.js";
import { Tools } from "./tools.js";
import { t } from "./words.js";

const VIEWS = ["events", "calls", "tools"];

export class Console {
  #root;
  #view = null;
  #hasEvents = false;
  #last = span("console-last");
  #views = h("div", { class: "filters views", role: "group" });
  #filters = div("console-filters");
  #toggle = button({ class: "console-toggle", "aria-expanded": "true", "aria-controls": "console-body" });
  #body = h("div", { class: "console-body", id: "console-body" });
  events = new LogView(EVENTS, () => this.#drawBar());
  calls = new LogView(CALLS, () => this.#drawBar());

  constructor(root, panels) {
    this.#root = root;
    this.tools = new Tools(panels);
    this.#toggle.addEventListener("click", () => this.#setOpen(!this.#isOpen));
    this.#body.append(this.events.rows, this.calls.rows, this.tools.root);
    root.append(div("console-bar", this.#toggle, this.#views, this.#last, this.#filters), this.#body);
    this.#setOpen(choices.get("console", "open") === "open");
    this.translate();
  }

  /** The sandbox's own state: is there a feed of events, and what it is set to. */
  update({ feed, settings }) {
    this.tools.update(settings);
    if (feed === this.#hasEvents) return;
    this.#hasEvents = feed;
    this.translate();
  }

  /** Draw again in the language now in use. */
  translate() {
    this.#toggle.title = t("collapse");
    this.events.translate();
    this.calls.translate();
    this.tools.translate();
    this.#show(this.#current);
  }

  /** The chosen view; until one is chosen, events where there are any. */
  get #current() {
    const chosen = choices.get("console.view", "");
    return VIEWS.includes(chosen) ? chosen : this.#hasEvents ? "events" : "calls";
  }

  get #isOpen() {
    return this.#root.dataset.open === "yes";
  }

  #setOpen(open) {
    this.#root.dataset.open = open ? "yes" : "no";
    this.#body.hidden = !open;
    this.#toggle.setAttribute("aria-expanded", String(open));
    choices.set("console", open ? "open" : "closed");
    this.#log?.toEnd();
  }

  get #log() {
    return { events: this.events, calls: this.calls }[this.#view];
  }

  #show(view) {
    this.#view = view;
    this.events.rows.hidden = view !== "events";
    this.calls.rows.hidden = view !== "calls";
    this.tools.root.hidden = view !== "tools";
    fill(this.#filters, this.#log?.filters);
    this.#log?.toEnd();
    if (view === "tools") this.tools.refresh().catch(() => {}); // the next look tries again
    this.#drawViews();
    this.#drawBar();
  }

  #drawViews() {
    const name = { events: t("events"), calls: t("calls"), tools: t("tools") };
    const choose = (view) => () => {
      choices.set("console.view", view);
      if (!this.#isOpen) this.#setOpen(true);
      this.#show(view);
      this.#views.querySelector(`[data-view="${view}"]`)?.focus();
    };
    this.#views.setAttribute("aria-label", t("console"));
    fill(
      this.#views,
      VIEWS.map((view) =>
        button(
          { class: "filter", "data-view": view, "aria-pressed": String(view === this.#view), onclick: choose(view) },
          name[view],
        ),
      ),
    );
  }

  #drawBar() {
    const refused = this.calls.entries.filter((entry) => !entry.ok).length;
    fill(
      this.#toggle,
      icon("chevron"),
      h("strong", {}, t("console")),
      refused > 0 && span("refused-count", t("refusedCount", { n: refused })),
    );
    fill(this.#last, this.#lastWords());
  }

  #lastWords() {
    const event = this.events.entries.at(-1);
    const call = this.calls.entries.at(-1);
    if (this.#hasEvents && event) return `${event.type} ${eventWords(event)}`;
    return call ? `${call.method} ${callWords(call)}` : t("consoleHint");
  }
}
