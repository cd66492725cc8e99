// Short words that appear over the page: toasts, and a question with two answers.

import { button, div, fill, h } from "./dom.js";
import { t } from "./words.js";

const TOAST_MS = 4500;

/** Show a line on a shelf for a few seconds. */
export function toast(shelf, text, kind = "answer") {
  const node = h("div", { class: `toast ${kind}`, role: kind === "error" ? "alert" : "status" }, text);
  shelf.append(node);
  setTimeout(() => node.remove(), TOAST_MS);
}

/** Show the reason why something was not done. */
export function complain(shelf, error) {
  toast(shelf, t("failed", { reason: error.message }), "error");
}

/** Ask in a dialog; resolves to true or false. With `deny` null there is one button only. */
export function ask({ title, text, confirm = t("ok"), deny = t("cancel"), isDanger = false }) {
  const dialog = document.getElementById("dialog");
  const answer = (value) => () => dialog.close(value);
  fill(
    dialog,
    title && h("h2", { id: "dialog-title" }, title),
    h("p", { id: "dialog-text" }, text),
    div(
      "dialog-buttons",
      deny !== null && button({ class: "plain-button", onclick: answer("no") }, deny),
      button(
        { class: isDanger ? "plain-button danger" : "plain-button primary", onclick: answer("yes"), autofocus: true },
        confirm,
      ),
    ),
  );
  dialog.setAttribute("aria-labelledby", title ? "dialog-title" : "dialog-text");
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) =>
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }),
  );
}
