// Where the person writes: a growing text field, a send button, suggestion chips, what is replied to.
//
// Every place (person, chat, thread) has its own draft; nothing but the person removes it.

import { button, div, fill, h, icon } from "./dom.js";
import { drafts } from "./prefs.js";
import { suggestions, t } from "./words.js";

export class Composer {
  #send;
  #place = "";
  #replyTo = null;
  #chips = h("div", { class: "chips", role: "group" });
  #quote = h("div", { class: "composer-reply", hidden: true });
  #field = h("textarea", { rows: "1", maxlength: "40000", "data-focus": "composer" });
  #button = h("button", { type: "submit", class: "send" }, icon("send"));
  #file = h("input", { type: "file", class: "hidden-words", tabindex: "-1", "aria-hidden": "true" });
  #clip = button({ class: "icon-button clip", onclick: () => this.#file.click() }, icon("clip"));
  #attach;

  /** `send(text, replyTo)` and `attach({name, type, base64}, text)` return promises; when one fails the text comes
   *  back into the field. */
  constructor({ send, attach, className }) {
    this.#send = send;
    this.#attach = attach;
    const box = div("composer-box", this.#clip, this.#file, this.#field, this.#button);
    this.#file.addEventListener("change", () => this.#attached());
    const form = h("form", { class: "composer-form", onsubmit: (event) => this.#submitted(event) }, this.#quote, box);
    this.root = div(`composer ${className}`, this.#chips, form);
    this.#field.addEventListener("keydown", (event) => this.#key(event));
    this.#field.addEventListener("input", () => drafts.set(this.#place, this.#field.value));
    this.#chips.addEventListener("wheel", (event) => this.#scrollChips(event), { passive: true });
  }

  /** Show the words of the language, and the draft of a place when it is another than before. An empty
   *  place shows all suggestions at once. */
  update(place, placeholder, isEmpty) {
    this.root.dataset.empty = isEmpty ? "yes" : "no";
    this.#field.placeholder = placeholder;
    this.#field.setAttribute("aria-label", placeholder);
    this.#button.setAttribute("aria-label", t("send"));
    this.#clip.setAttribute("aria-label", t("attach"));
    this.#drawChips();
    if (place === this.#place) return;
    this.#place = place;
    this.#field.value = drafts.get(place);
    this.setReply(null);
  }

  /** Answer one message: {id, name, text}, or null for none. */
  setReply(target) {
    this.#replyTo = target;
    this.#quote.hidden = !target;
    if (!target) return;
    const stop = button(
      { class: "icon-button", "aria-label": t("cancelReply"), onclick: () => this.setReply(null) },
      icon("close"),
    );
    const words = div(
      "reply-words",
      h("strong", {}, t("replyingTo", { name: target.name })),
      h("span", {}, target.text),
    );
    fill(this.#quote, icon("reply"), words, stop);
    this.focus();
  }

  focus() {
    this.#field.focus({ preventScroll: true });
  }

  /** Is the person in the middle of writing here? */
  get isInUse() {
    return this.#field === document.activeElement && this.#field.value !== "";
  }

  #drawChips() {
    const made = suggestions();
    const state = JSON.stringify(made);
    if (this.#chips.dataset.state === state) return;
    this.#chips.dataset.state = state;
    this.#chips.setAttribute("aria-label", t("suggestions"));
    const type = (text) => () => this.#send(text, null).catch(() => {});
    fill(
      this.#chips,
      made.map((text) => button({ class: "chip", onclick: type(text) }, text)),
    );
  }

  #scrollChips(event) {
    if (Math.abs(event.deltaY) > Math.abs(event.deltaX)) this.#chips.scrollLeft += event.deltaY;
  }

  #key(event) {
    if (event.key === "Escape" && this.#replyTo) {
      event.stopPropagation();
      this.setReply(null);
    }
    // While an input method composes (Chinese, Japanese), Enter belongs to it.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  }

  #submitted(event) {
    event.preventDefault();
    const text = this.#field.value.trim();
    if (!text) return;
    const place = this.#place;
    const replyTo = this.#replyTo;
    this.#field.value = "";
    drafts.set(place, "");
    this.setReply(null);
    this.#send(text, replyTo).catch(() => this.#giveBack(place, text));
  }

  /** A file is sent at once, with what stands in the field as its caption. */
  async #attached() {
    const file = this.#file.files[0];
    const text = this.#field.value.trim();
    const place = this.#place;
    this.#file.value = "";
    if (!file) return;
    this.#field.value = "";
    drafts.set(place, "");
    const base64 = encode(new Uint8Array(await file.arrayBuffer()));
    this.#attach({ name: file.name, type: file.type, base64 }, text).catch(() => this.#giveBack(place, text));
  }

  #giveBack(place, text) {
    if (drafts.get(place)) return;
    drafts.set(place, text);
    if (place === this.#place) this.#field.value = text;
  }
}

/** Bytes as base64, in parts: an argument list has its limits. */
function encode(data) {
  let text = "";
  for (let at = 0; at < data.length; at += 0x8000) text += String.fromCharCode(...data.subarray(at, at + 0x8000));
  return btoa(text);
}
