// Slack's interactive elements: what a person presses, chooses from or types into.
//
// `ctx` is {names, people, channels, press, select, isBusy, isPressing, valueOf}: what presses and choices do, and
// what has been chosen so far (`valueOf(block, element)`, an entry of the state's values, or undefined).

import { button, div, h, icon, span, unknown } from "./dom.js";
import { emoji } from "./mrkdwn.js";
import { t } from "./words.js";

/** One element of a block. What the page cannot draw is shown as its JSON. */
export function drawElement(part, block, ctx) {
  const draw = Object.hasOwn(ELEMENTS, part?.type) ? ELEMENTS[part.type] : null;
  return draw ? draw(part, block, ctx) : unknown(String(part?.type ?? "element"), part);
}

/** Plain text with its `:emoji:` shown, unless it says not to. */
export function withEmoji({ text: raw = "", emoji: wanted = true }) {
  return wanted === false ? raw : String(raw).replace(/:([a-z0-9_+'-]+):/g, (whole, name) => emoji(name) ?? whole);
}

const keyOf = (part, block) => `${block.block_id ?? ""}/${part.action_id}`;

function drawButton(part, block, ctx) {
  const style = part.style === "primary" || part.style === "danger" ? part.style : "default";
  return pressable(part, block, ctx, { class: `sl-button ${style}` }, withEmoji(part.text ?? {}));
}

function pressable(part, block, ctx, props, ...children) {
  return h(
    "button",
    {
      type: "button",
      "data-action": part.action_id,
      "data-focus": keyOf(part, block),
      "aria-label": part.accessibility_label,
      "aria-busy": ctx.isBusy(part, block) && "true",
      "aria-disabled": ctx.isPressing && "true", // unlike `disabled` this keeps the focus
      onclick: () => ctx.isPressing || ctx.press(part, block),
      ...props,
    },
    children,
  );
}

/** Two buttons for "good answer" and "bad answer". */
function feedback(part, block, ctx) {
  const one = (choice, mark) =>
    choice &&
    h(
      "button",
      {
        type: "button",
        class: "sl-button small",
        "aria-label": choice.accessibility_label ?? choice.text?.text,
        "data-focus": `${keyOf(part, block)}/${choice.value}`,
        onclick: () => ctx.isPressing || ctx.press(part, block, choice),
      },
      `${mark} `,
      withEmoji(choice.text ?? {}),
    );
  return [one(part.positive_button, "👍"), one(part.negative_button, "👎")];
}

function iconButton(part, block, ctx) {
  return pressable(part, block, ctx, { class: "sl-button small" }, part.icon === "trash" ? "🗑 " : "", withEmoji(part.text ?? {}));
}

/** A field with its name, which is the placeholder or the label of its block. */
function named(part, block, control) {
  control.setAttribute("aria-label", block.label?.text ?? part.placeholder?.text ?? part.action_id ?? part.type);
  control.dataset.focus = keyOf(part, block);
  return control;
}

const entryOf = (part, block, ctx) => ctx.valueOf?.(block, part) ?? {};

function options(part, ctx) {
  if (/users_select$/.test(part.type)) return ctx.people.map((user) => [user.id, user.real_name ?? user.name]);
  if (/(channels|conversations)_select$/.test(part.type)) return ctx.channels.map((one) => [one.id, one.name]);
  const groups = part.option_groups ? part.option_groups.flatMap((group) => group.options) : (part.options ?? []);
  return groups.map((option) => [option.value, option.text?.text ?? option.value]);
}

function chosenOf(part, block, ctx) {
  const entry = entryOf(part, block, ctx);
  const one = entry.selected_option?.value ?? entry.selected_user ?? entry.selected_conversation ?? entry.selected_channel;
  const many =
    entry.selected_options?.map((option) => option.value) ??
    entry.selected_users ??
    entry.selected_conversations ??
    entry.selected_channels;
  return new Set(many ?? (one ? [one] : []));
}

function select(part, block, ctx) {
  const isMany = part.type.startsWith("multi_");
  const chosen = chosenOf(part, block, ctx);
  const entries = options(part, ctx);
  const control = h(
    "select",
    { class: "sl-select", multiple: isMany, size: isMany ? Math.min(entries.length, 4) : null },
    !isMany && h("option", { value: "", disabled: true, selected: !chosen.size }, part.placeholder?.text ?? t("choose")),
    entries.map(([value, words]) => h("option", { value, selected: chosen.has(value) }, words)),
  );
  control.addEventListener("change", () =>
    ctx.select(
      part,
      block,
      [...control.selectedOptions].map((option) => option.value),
    ),
  );
  return named(part, block, control);
}

function ticks(part, block, ctx) {
  const kind = part.type === "checkboxes" ? "checkbox" : "radio";
  const chosen = chosenOf(part, block, ctx);
  const group = h("fieldset", { class: "sl-ticks" });
  const changed = () =>
    ctx.select(
      part,
      block,
      [...group.querySelectorAll("input:checked")].map((input) => input.value),
    );
  const row = (option) =>
    h(
      "label",
      {},
      h("input", {
        type: kind,
        name: `${ctx.scope ?? ""}${keyOf(part, block)}`,
        value: option.value,
        checked: chosen.has(option.value),
        "data-focus": `${keyOf(part, block)}/${option.value}`,
        onchange: changed,
      }),
      h("span", {}, option.text?.text ?? option.value, option.description && span("muted", ` ${option.description.text}`)),
    );
  group.append(
    h("legend", { class: "hidden-words" }, block.label?.text ?? part.action_id ?? part.type),
    ...(part.options ?? []).map(row),
  );
  return group;
}

/** The menu behind three dots: it opens in place, and closes with a choice. */
function overflow(part, block, ctx) {
  const menu = h("details", { class: "sl-overflow" }, h("summary", { "aria-label": t("more") }, "⋯"));
  const choose = (option) => () => {
    menu.open = false;
    ctx.select(part, block, [option.value]);
  };
  menu.append(
    div(
      "sl-menu",
      (part.options ?? []).map((option) => button({ onclick: choose(option) }, withEmoji(option.text ?? {}))),
    ),
  );
  return menu;
}

const FIELDS = {
  datepicker: ["date", "selected_date"],
  timepicker: ["time", "selected_time"],
  plain_text_input: ["text", "value"],
  email_text_input: ["email", "value"],
  url_text_input: ["url", "value"],
  number_input: ["number", "value"],
};

function field(part, block, ctx) {
  const [type, name] = FIELDS[part.type];
  const isLong = part.type === "plain_text_input" && part.multiline;
  const control = h(isLong ? "textarea" : "input", {
    class: "sl-input",
    type: isLong ? null : type,
    rows: isLong ? 3 : null,
    placeholder: part.placeholder?.text,
    maxlength: part.max_length,
  });
  control.value = entryOf(part, block, ctx)[name] ?? "";
  control.addEventListener("change", () => control.value !== "" && ctx.select(part, block, [control.value]));
  return named(part, block, control);
}

/** A moment, told to the sandbox in seconds since the epoch. */
function moment(part, block, ctx) {
  const control = h("input", { class: "sl-input", type: "datetime-local" });
  const chosen = entryOf(part, block, ctx).selected_date_time;
  if (chosen) control.value = new Date((chosen - new Date().getTimezoneOffset() * 60) * 1000).toISOString().slice(0, 16);
  control.addEventListener("change", () => {
    const seconds = Math.floor(new Date(control.value).getTime() / 1000);
    if (Number.isFinite(seconds)) ctx.select(part, block, [seconds]);
  });
  return named(part, block, control);
}

const ELEMENTS = {
  button: drawButton,
  workflow_button: drawButton,
  feedback_buttons: feedback,
  icon_button: iconButton,
  static_select: select,
  users_select: select,
  conversations_select: select,
  channels_select: select,
  multi_static_select: select,
  multi_users_select: select,
  multi_conversations_select: select,
  multi_channels_select: select,
  checkboxes: ticks,
  radio_buttons: ticks,
  overflow,
  datetimepicker: moment,
  ...Object.fromEntries(Object.keys(FIELDS).map((type) => [type, field])),
};

/** The mark of a state: of a task, or of a stream. */
export function stateMark(status) {
  const marks = { pending: "○", in_progress: "◐", complete: "✓", error: "✕" };
  return h("span", { class: "state-mark", "data-state": status, role: "img", "aria-label": t(`state_${status}`) }, marks[status] ?? "•");
}

/** The picture of an element that is one: no picture is fetched from elsewhere; its words stand for it. */
export function pictureOf(part) {
  return span("b-picture", icon("picture"), ` ${part?.alt_text ?? ""}`);
}
