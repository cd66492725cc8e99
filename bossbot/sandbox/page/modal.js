// The modal that a person has open on Slack: drawn over the window, filled in, submitted or closed.
//
// The sandbox keeps what has been filled in; the page tells it of each change and draws what it answers.

import { renderBlocks } from "./blocks.js";
import { button, div, fill, h, icon } from "./dom.js";
import { t } from "./words.js";

const SUBMIT_WAIT_S = 3.5; // Slack itself waits 3 s for an answer

export class Modal {
  #act;
  #drawn = "";
  #from = null; // what had the focus before the modal came
  root = h("section", { class: "sl-modal-place", hidden: true });

  /** `act(action, body)` POSTs for the person and resolves to the answer. */
  constructor(act) {
    this.#act = act;
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.root.querySelector(".icon-button")?.click();
    });
  }

  /** Show the view on top of the person's stack, or none. `ctx` tells whom ids mean (see elements.js). */
  update(views, me, ctx) {
    const view = views.filter((one) => one.user === me?.id && one.type === "modal").at(-1) ?? null;
    const drawn = JSON.stringify([view, t("close")]);
    if (drawn === this.#drawn) return;
    const isNew = this.#drawn === "" || !this.#drawn.includes(`"${view?.id}"`);
    this.#drawn = drawn;
    if (view) this.#show(view, me, ctx, isNew);
    else this.#hide();
  }

  #hide() {
    this.root.hidden = true;
    this.root.replaceChildren();
    this.#drawn = "";
    this.#from?.focus?.();
    this.#from = null;
  }

  #show(view, me, ctx, isNew) {
    if (isNew) this.#from = document.activeElement;
    const focus = this.root.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    const base = { user: me.id, view_id: view.id };
    const close = () => this.#act("close", base).catch(() => {});
    const how = {
      ...ctx,
      scope: view.id,
      isPressing: false,
      isBusy: () => false,
      press: (part) => this.#act("press", { ...base, action_id: part.action_id }).catch(() => {}),
      select: (part, block, values) => this.#act("select", { ...base, action_id: part.action_id, values }).catch(() => {}),
      valueOf: (block, part) => view.state?.values?.[block.block_id]?.[part.action_id],
      errorOf: (block) => view.errors?.[block.block_id],
    };
    const submit = (event) => {
      event.preventDefault();
      const last = document.activeElement;
      last?.blur?.(); // a field tells its value when it is left
      setTimeout(() => this.#act("submit", { ...base, wait_s: SUBMIT_WAIT_S }).catch(() => {}), 0);
    };
    const title = h("h3", { id: "modal-title" }, view.title?.text ?? "");
    const form = h(
      "form",
      { class: "sl-modal", role: "dialog", "aria-modal": "true", "aria-labelledby": "modal-title", novalidate: true, onsubmit: submit },
      div(
        "room-head",
        div("head-words", title),
        button({ class: "icon-button", "aria-label": view.close?.text ?? t("close"), "data-focus": "close", onclick: close }, icon("close")),
      ),
      view.problem && h("div", { class: "b-error", role: "alert" }, view.problem),
      div("sl-modal-body", renderBlocks(view.blocks ?? [], how)),
      div(
        "dialog-buttons",
        button({ class: "plain-button", onclick: close }, view.close?.text ?? t("cancel")),
        view.submit && h("button", { type: "submit", class: "plain-button primary", "data-focus": "submit" }, view.submit.text),
      ),
    );
    this.root.hidden = false;
    fill(this.root, form);
    const wanted = [...form.querySelectorAll("[data-focus]")];
    const target = wanted.find((node) => node.dataset.focus === focus) ?? (isNew ? wanted.find((node) => node.dataset.focus !== "close") : null);
    target?.focus({ preventScroll: true });
  }
}
