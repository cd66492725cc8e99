// The calls of the bot: where each goes and what it says; refused ones stand out.

import { h, span } from "./dom.js";
import { openable } from "./log_view.js";
import { clock, t } from "./words.js";

const QUIET = new Set(["getUpdates"]); // polling that only says "still here"; shown when it is refused

export const CALLS = {
  id: "calls",
  hint: () => t("consoleHint"),
  none: () => t("noCalls"),
  filters: [
    ["all", () => t("all")],
    ["telegram", () => "Telegram"],
    ["slack", () => "Slack"],
    ["refused", () => t("refused")],
  ],
  matches: (filter, entry) => (filter === "refused" ? !entry.ok : filter === "all" || filter === entry.platform),
  isShown: (entry) => !entry.ok || !QUIET.has(entry.method),
  row,
  same: (old, entry) =>
    old.t === entry.t &&
    old.method === entry.method &&
    old.platform === entry.platform &&
    JSON.stringify(old.payload) === JSON.stringify(entry.payload),
};

function row(entry) {
  const { ok, platform, method, error } = entry;
  const head = [
    h("time", {}, clock(entry.t, true)),
    span(`call-platform ${platform}`, platform),
    span("call-method", method),
    span("call-words", ok ? callWords(entry) : String(error ?? "")),
    span("call-end", entry.fault ? `${entry.fault} ` : "", ok ? "ok" : t("refused")),
  ];
  return openable(`call ${ok ? "" : "refused"}`, head, entry.payload);
}

/** Where a call goes and what it says, in one line. */
export function callWords({ payload }) {
  const { chat_id, channel, text, status } = payload ?? {};
  const said = String(text ?? status ?? "")
    .replace(/\s+/g, " ")
    .slice(0, 140);
  return [chat_id ?? channel, said].filter((part) => part !== undefined && part !== "").join("  ");
}
