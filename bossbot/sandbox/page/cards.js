// Slack's larger blocks: plans and their tasks, cards and carousels, containers.

import { div, h, link, span } from "./dom.js";
import { drawElement, pictureOf, stateMark, withEmoji } from "./elements.js";
import { renderMrkdwn } from "./mrkdwn.js";
import { renderRichText } from "./richtext.js";
import { t } from "./words.js";

/** A text object: mrkdwn or plain text. */
export function text(object, ctx) {
  if (!object) return [];
  return object.type === "mrkdwn" ? renderMrkdwn(object.text, ctx.names) : withEmoji(object);
}

/** One task: its state, its title, and behind it details, output and sources. */
export function taskCard(task, ctx) {
  const head = [stateMark(task.status), span("task-title", task.title ?? "")];
  const more = [
    task.details && div("task-details", renderRichText(task.details, ctx.names)),
    task.output && div("task-output", renderRichText(task.output, ctx.names)),
    (task.sources ?? []).length > 0 && div("task-sources", task.sources.map(source)),
  ].filter(Boolean);
  if (!more.length) return h("div", { class: "b-task", "data-state": task.status }, head);
  return h("details", { class: "b-task", "data-state": task.status }, h("summary", {}, head), more);
}

const source = (entry) => link(entry.url, entry.text ?? entry.url);

/** A plan with its tasks in order. */
export function plan(block, ctx) {
  const tasks = block.tasks ?? [];
  const done = tasks.filter((task) => task.status === "complete").length;
  return div(
    "b-plan",
    div("b-plan-head", h("strong", {}, block.title ?? ""), tasks.length > 0 && span("muted", `${done}/${tasks.length}`)),
    tasks.map((task) => taskCard(task, ctx)),
  );
}

export function card(block, ctx) {
  return div(
    "b-card",
    block.hero_image && pictureOf(block.hero_image),
    div(
      "b-card-head",
      block.icon && pictureOf(block.icon),
      div("", block.title && h("strong", {}, text(block.title, ctx)), block.subtitle && div("muted", text(block.subtitle, ctx))),
    ),
    block.body && div("b-text", text(block.body, ctx)),
    (block.actions ?? []).length > 0 &&
      div(
        "b-actions",
        block.actions.map((part) => drawElement(part, block, ctx)),
      ),
  );
}

export function carousel(block, ctx) {
  return h(
    "div",
    { class: "b-carousel", tabindex: "0", role: "group", "aria-label": t("cards") },
    (block.elements ?? []).map((part) => card(part, ctx)),
  );
}

/** `inner(blocks)` draws what the container holds. */
export function container(block, ctx, inner) {
  const title = block.rich_text_title ? renderRichText(block.rich_text_title, ctx.names) : text(block.title, ctx);
  const head = [block.icon && pictureOf(block.icon), h("strong", {}, title), block.subtitle && div("muted", text(block.subtitle, ctx))];
  const body = inner(block.child_blocks ?? []);
  if (!block.is_collapsible) return div("b-container", div("b-plan-head", head), body);
  return h("details", { class: "b-container", open: !block.default_collapsed }, h("summary", {}, head), body);
}

export function video(block, ctx) {
  return div(
    "b-card",
    h("strong", {}, "▶ ", block.title_url ? link(block.title_url, text(block.title, ctx)) : text(block.title, ctx)),
    block.description && div("b-text", text(block.description, ctx)),
    div("muted", [block.provider_name, block.author_name].filter(Boolean).join(" · ")),
  );
}
