// Telegram's buttons: those below a message and those inside a rich one. Inline ones press, others type.

import { h, link, span } from "./dom.js";

const STYLES = new Set(["primary", "success", "danger", "link"]);

/** One button. `how` tells what a press does (see telegram.js); `place` is "below" or "inline". */
export function key(button, how, place = "below") {
  const words = button.text ?? String(button);
  const kind = `tg-key ${place} ${STYLES.has(button.style) ? button.style : ""}`;
  if (button.url) return span(kind, link(button.url, words));
  const act = () => {
    if (how.isPressing) return;
    if (button.callback_data !== undefined) how.press(button).catch(() => {});
    else if (button.copy_text) navigator.clipboard?.writeText(button.copy_text.text);
    else how.say?.(words);
  };
  const props = {
    type: "button",
    class: kind,
    disabled: Boolean(button.disabled),
    "aria-disabled": how.isPressing && "true", // unlike `disabled` this keeps the focus
    "aria-busy": how.isBusy(button) && "true",
    "data-focus": button.callback_data ?? words,
    onclick: act,
  };
  return h("button", props, words);
}
