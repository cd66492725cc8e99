// Slack blocks → nodes. A block or element that the page cannot draw is shown as its JSON.
//
// `ctx` tells whom ids mean and what elements do (see elements.js).

import { card, carousel, container, plan, taskCard, text, video } from "./cards.js";
import { div, h, span, unknown } from "./dom.js";
import { drawElement, pictureOf } from "./elements.js";
import { renderMarkdown } from "./markdown.js";
import { renderRichText } from "./richtext.js";
import { t } from "./words.js";

const BLOCKS = {
  section,
  header,
  context,
  divider,
  actions,
  context_actions: actions,
  input,
  rich_text: richText,
  markdown,
  image,
  table,
  data_table: table,
  alert,
  file,
  video,
  card,
  carousel,
  plan,
  task_card: taskCard,
  container: (block, ctx) => container(block, ctx, (blocks) => renderBlocks(blocks, ctx)),
};

/** Nodes for a message's blocks. */
export function renderBlocks(blocks, ctx) {
  return blocks.map((block) => {
    const render = Object.hasOwn(BLOCKS, block?.type) ? BLOCKS[block.type] : null;
    return render ? render(block, ctx) : unknown(String(block?.type ?? "block"), block);
  });
}

function section(block, ctx) {
  const fields = (block.fields ?? []).map((field) => div("field", text(field, ctx)));
  return div(
    "b-section",
    div("b-main", block.text && div("b-text", text(block.text, ctx)), fields.length > 0 && div("b-fields", fields)),
    block.accessory && div("b-accessory", drawElement(block.accessory, block, ctx)),
  );
}

function header(block, ctx) {
  return h("div", { class: "b-header", role: "heading", "aria-level": "4" }, text(block.text, ctx));
}

function context(block, ctx) {
  const parts = (block.elements ?? []).map((part) =>
    part.type === "image" ? pictureOf(part) : h("span", {}, text(part, ctx)),
  );
  return div("b-context", parts);
}

function divider() {
  return h("hr", { class: "b-divider" });
}

function actions(block, ctx) {
  return div(
    "b-actions",
    (block.elements ?? []).map((part) => drawElement(part, block, ctx)),
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

function image(block, ctx) {
  return h("figure", { class: "b-image" }, block.title && h("figcaption", {}, text(block.title, ctx)), pictureOf(block));
}

/** A field of a form with its label; what is wrong with its value is said below it. */
function input(block, ctx) {
  const error = ctx.errorOf?.(block);
  return div(
    "b-input",
    div("b-label", text(block.label, ctx), block.optional && span("muted", ` (${t("optional")})`)),
    drawElement(block.element, block, ctx),
    block.hint && div("muted", text(block.hint, ctx)),
    error && h("div", { class: "b-error", role: "alert" }, error),
  );
}

function file(block) {
  return div("file", `📎 ${block.external_id ?? ""}`);
}

function table(block, ctx) {
  const cell = (tag) => (part) =>
    h(tag, {}, part?.type === "rich_text" ? renderRichText(part, ctx.names) : String(part?.text ?? part?.value ?? ""));
  const rows = (block.rows ?? []).map((row, index) => h("tr", {}, row.map(cell(index ? "td" : "th"))));
  return div("table-wrap", h("table", {}, block.caption && h("caption", {}, block.caption), h("tbody", {}, rows)));
}
