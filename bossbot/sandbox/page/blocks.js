// Slack blocks → nodes. A block or element that the page cannot draw is shown as its JSON.
//
// `ctx` is {names, press(element, block), isBusy(element, block), isPressing}: whom ids mean, what buttons do.

import { div, h, span, unknown } from "./dom.js";
import { renderMarkdown } from "./markdown.js";
import { renderMrkdwn, emoji } from "./mrkdwn.js";
import { renderRichText } from "./richtext.js";

const BLOCKS = { section, header, context, divider, actions, rich_text: richText, markdown, image, table, alert };

/** Nodes for a message's blocks. */
export function renderBlocks(blocks, ctx) {
  return blocks.map((block) => {
    const render = Object.hasOwn(BLOCKS, block?.type) ? BLOCKS[block.type] : null;
    return render ? render(block, ctx) : unknown(String(block?.type ?? "block"), block);
  });
}

/** A text object: mrkdwn or plain text. */
function text(object, ctx) {
  if (!object) return [];
  if (object.type === "mrkdwn") return renderMrkdwn(object.text, ctx.names);
  return withEmoji(object);
}

function withEmoji({ text: raw = "", emoji: wanted = true }) {
  return wanted === false ? raw : String(raw).replace(/:([a-z0-9_+'-]+):/g, (whole, name) => emoji(name) ?? whole);
}

function section(block, ctx) {
  const fields = (block.fields ?? []).map((field) => div("field", text(field, ctx)));
  return div(
    "b-section",
    div("b-main", block.text && div("b-text", text(block.text, ctx)), fields.length > 0 && div("b-fields", fields)),
    block.accessory && div("b-accessory", element(block.accessory, block, ctx)),
  );
}

function header(block, ctx) {
  return h("div", { class: "b-header", role: "heading", "aria-level": "4" }, text(block.text, ctx));
}

function context(block, ctx) {
  const parts = (block.elements ?? []).map((part) =>
    part.type === "image" ? imageElement(part) : h("span", {}, text(part, ctx)),
  );
  return div("b-context", parts);
}

function divider() {
  return h("hr", { class: "b-divider" });
}

function actions(block, ctx) {
  return div(
    "b-actions",
    (block.elements ?? []).map((part) => element(part, block, ctx)),
  );
}

function richText(block, ctx) {
  return div("b-rich", renderRichText(block, ctx.names));
}

function markdown(block, ctx) {
  return div("b-markdown", renderMarkdown(block.text ?? "", ctx.names));
}

function alert(block, ctx) {
  return h("div", { class: "b-alert", "data-level": block.level ?? "default" }, text(block.text, ctx));
}

/** No picture is fetched from elsewhere; its words stand for it. */
function image(block, ctx) {
  return h(
    "figure",
    { class: "b-image" },
    block.title && h("figcaption", {}, text(block.title, ctx)),
    imageElement(block),
  );
}

function imageElement(part) {
  return span("b-picture", `🖼 ${part.alt_text ?? ""}`);
}

function table(block, ctx) {
  const cell = (tag) => (part) =>
    h(tag, {}, part?.type === "rich_text" ? renderRichText(part, ctx.names) : (part?.text ?? ""));
  const rows = (block.rows ?? []).map((row, index) => h("tr", {}, row.map(cell(index ? "td" : "th"))));
  return div("table-wrap", h("table", {}, h("tbody", {}, rows)));
}

function element(part, block, ctx) {
  return part.type === "button" ? drawButton(part, block, ctx) : unknown(String(part.type), part);
}

function drawButton(part, block, ctx) {
  const style = part.style === "primary" || part.style === "danger" ? part.style : "default";
  return h(
    "button",
    {
      type: "button",
      class: `sl-button ${style}`,
      "data-action": part.action_id,
      "data-focus": `${block.block_id ?? ""}/${part.action_id}`,
      "aria-label": part.accessibility_label,
      "aria-busy": ctx.isBusy(part, block) && "true",
      "aria-disabled": ctx.isPressing && "true", // unlike `disabled` this keeps the focus
      onclick: () => ctx.isPressing || ctx.press(part, block),
    },
    withEmoji(part.text ?? {}),
  );
}
