// What both platforms have in common: who speaks, which place they have open, what is unread, and the
// frame around it: a bar with the person picker, a list of places, the open place.

import { append, button, div, fill, h, icon, span } from "./dom.js";
import { post } from "./feed.js";
import { complain } from "./notice.js";
import { People } from "./people.js";
import { Presses } from "./presses.js";
import { Unread } from "./unread.js";
import { currentLanguage, t } from "./words.js";

const NAMES = { telegram: "Telegram", slack: "Slack" };

/** A subclass tells: `places` (all of the state's), `numbers(place, user)` (the order of what others wrote),
 *  `listPlaces(places, entry)` (nodes of the list) and `drawOpen()`. */
export class Panel {
  state = { users: [] };
  shelf = div("toasts");
  #kind;
  #root;
  #badge;
  #openId = new Map(); // person id → the place they have open
  #timers = new Map(); // what runs out → its timer
  #unread = new Unread();
  #people;
  #nav = h("nav", { class: "places" });
  #head = div("head-content");
  #toggle = button(
    { class: "icon-button places-toggle", onclick: () => this.#showPlaces(!this.#placesShown) },
    icon("menu"),
  );

  /** `badge(count)` hears how many messages the person has not seen. */
  constructor(root, kind, badge) {
    this.#root = root;
    this.#kind = kind;
    this.#badge = badge;
    this.#people = new People(kind, () => this.draw());
    this.presses = new Presses(() => this.draw());
  }

  /** Build the frame around a platform's own parts. */
  frame(body, aside = null) {
    const title = h("h2", { class: `platform ${this.#kind}` }, span("platform-mark"), NAMES[this.#kind]);
    const room = div("room", div("room-head", this.#toggle, this.#head), body);
    append(this.#root, [
      div("window-bar", title, this.#people.root),
      div("window-body", this.#nav, room, aside, this.shelf),
    ]);
    this.#root.addEventListener(
      "keydown",
      (event) => event.key === "Escape" && this.#placesShown && this.#showPlaces(false),
    );
    this.#showPlaces(false);
  }

  update(state) {
    this.state = { ...this.state, ...state };
    this.draw();
  }

  get me() {
    return this.#people.current(this.state.users);
  }

  /** The place that the person has open: the chosen one, else their first. */
  get open() {
    const mine = this.#placesOf(this.me);
    return mine.find((place) => place.id === this.#openId.get(this.me?.id)) ?? mine[0] ?? null;
  }

  #placesOf(user) {
    return user ? this.places.filter((place) => place.members?.includes(user.id) ?? true) : [];
  }

  draw() {
    const { me, open } = this;
    if (!me) return;
    const counts = this.#count(open);
    const unread = (place) => counts.get(`${me.id}/${place.id}`) ?? 0;
    const waiting = this.state.users.filter((user) =>
      this.#placesOf(user).some((place) => counts.get(`${user.id}/${place.id}`)),
    );
    this.#people.update(this.state.users, new Set(waiting.map((user) => user.id)));
    const mine = this.#placesOf(me);
    this.#badge(mine.reduce((sum, place) => sum + unread(place), 0));
    const drawn = JSON.stringify([
      mine.map((place) => [place.id, place.messages.at(-1), unread(place)]),
      open?.id,
      me.id,
      currentLanguage(),
    ]);
    redraw(this.#nav, drawn, () =>
      this.listPlaces(mine, (place, content) => this.#entry(place, place === open, unread(place), content)),
    );
    this.#nav.setAttribute("aria-label", `${NAMES[this.#kind]}: ${t("places")}`);
    this.#toggle.setAttribute("aria-label", t("openPlaces"));
    if (open) this.drawOpen();
  }

  #count(open) {
    const isVisible = this.#root.offsetParent !== null && document.visibilityState === "visible";
    const places = this.state.users.flatMap((user) =>
      this.#placesOf(user).map((place) => ({
        key: `${user.id}/${place.id}`,
        numbers: this.numbers(place, user),
        isOpen: isVisible && user === this.me && place === open,
      })),
    );
    return this.#unread.count(places);
  }

  #entry(place, isOpen, unread, content) {
    const choose = () => {
      this.#openId.set(this.me.id, place.id);
      this.#showPlaces(false);
      this.draw();
    };
    const count = unread > 0 && h("span", { class: "count", "aria-label": t("unread", { n: unread }) }, String(unread));
    return button(
      { class: "place", "aria-current": isOpen && "true", "data-focus": place.id, onclick: choose },
      content,
      count,
    );
  }

  drawHead(signature, make) {
    redraw(this.#head, JSON.stringify([signature, currentLanguage()]), make);
  }

  get #placesShown() {
    return this.#root.dataset.places === "open";
  }

  /** In a narrow window the list of places is a drawer. */
  #showPlaces(shown) {
    const hadFocus = this.#nav.contains(document.activeElement);
    this.#root.dataset.places = shown ? "open" : "closed";
    this.#toggle.setAttribute("aria-expanded", String(shown));
    if (shown) this.#nav.querySelector("button")?.focus();
    else if (hadFocus) this.#toggle.focus();
  }

  /** What runs out by itself ("typing…", drafts, statuses) goes then: no event says so. */
  expire(place, name) {
    const things = [place[name] ?? []].flat();
    const now = performance.now();
    for (const thing of things) thing.end ??= now + (thing.expires_at - thing.t) * 1000;
    const first = Math.min(...things.map((thing) => thing.end));
    clearTimeout(this.#timers.get(name));
    if (!things.length) return;
    const drop = () => {
      place[name] = Array.isArray(place[name]) ? things.filter((thing) => thing.end > first) : null;
      this.draw();
    };
    this.#timers.set(name, setTimeout(drop, first - now));
  }

  /** POST for the person; what went wrong is said, and thrown on to the caller. */
  async act(action, body) {
    try {
      return await post(`/sandbox/${this.#kind}/${action}`, body);
    } catch (error) {
      complain(this.shelf, error);
      throw error;
    }
  }
}

/** Draw an element again only when what it shows has changed, and keep the focus at its key. */
export function redraw(node, signature, make) {
  if (node.drawn === signature) return;
  node.drawn = signature;
  const focus = node.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
  fill(node, make());
  if (focus) [...node.querySelectorAll("[data-focus]")].find((item) => item.dataset.focus === focus)?.focus();
}
