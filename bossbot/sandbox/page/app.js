// The page: two platforms side by side, the console below, and the bar that belongs to neither.

import { Console } from "./console.js";
import { fill, icon } from "./dom.js";
import { SessionFeed } from "./events.js";
import { Feed, post } from "./feed.js";
import { ask } from "./notice.js";
import { choices } from "./prefs.js";
import { SlackPanel } from "./slack.js";
import { TelegramPanel } from "./telegram.js";
import { currentLanguage, setLanguage, t, translate } from "./words.js";

const TABS = ["telegram", "slack", "console"];
const THEMES = ["auto", "light", "dark"];
const byId = (id) => document.getElementById(id);

setLanguage(choices.get("language", navigator.language.startsWith("zh") ? "zh" : "en"));
const telegram = new TelegramPanel(byId("telegram"), (count) => setBadge("telegram", count));
const slack = new SlackPanel(byId("slack"), (count) => setBadge("slack", count));
const log = new Console(byId("console"), { telegram, slack });
const sessions = new SessionFeed((event) => log.events.add(event));
let isLive = false;

const feed = new Feed({
  state: (state) => {
    telegram.update(state.telegram);
    slack.update(state.slack);
    log.update(state);
    sessions.follow(state.feed);
    document.body.dataset.ready = "yes";
  },
  calls: (entries) => log.calls.load(entries.sort((a, b) => a.t - b.t)),
  call: (entry) => log.calls.add(entry),
  status: (live) => {
    isLive = live;
    drawStatus();
  },
});

function drawStatus() {
  const pill = byId("status");
  pill.dataset.live = isLive ? "yes" : "no";
  fill(pill, t(isLive ? "live" : "offline"));
}

function drawBar() {
  const theme = choices.get("theme", "auto");
  document.documentElement.dataset.theme = theme;
  document.title = t("title");
  translate(document);
  const label = t({ auto: "themeAuto", light: "themeLight", dark: "themeDark" }[theme] ?? "themeAuto");
  byId("theme").setAttribute("aria-label", label);
  byId("theme").title = label;
  byId("language").setAttribute("aria-label", t("languageLabel"));
  byId("language").lang = currentLanguage() === "en" ? "zh-CN" : "en";
  drawStatus();
}

function setBadge(tab, count) {
  const badge = byId(`tab-${tab}`).querySelector(".count");
  badge.hidden = count === 0;
  badge.textContent = String(count);
  badge.setAttribute("aria-label", t("unread", { n: count }));
}

function showTab(tab) {
  document.body.dataset.tab = tab;
  for (const name of TABS) byId(`tab-${name}`).setAttribute("aria-pressed", String(name === tab));
  telegram.draw();
  slack.draw();
}

byId("theme").append(icon("theme"));
byId("theme").addEventListener("click", () => {
  const now = THEMES.indexOf(choices.get("theme", "auto"));
  choices.set("theme", THEMES[(now + 1) % THEMES.length]);
  drawBar();
});
byId("language").addEventListener("click", () => {
  setLanguage(currentLanguage() === "en" ? "zh" : "en");
  choices.set("language", currentLanguage());
  drawBar();
  log.translate();
  telegram.draw();
  slack.draw();
});
byId("reset").prepend(icon("reset"));
byId("reset").addEventListener("click", async () => {
  if (!(await ask({ title: t("reset"), text: t("resetAsk"), isDanger: true }))) return;
  await post("/sandbox/reset", {}).catch(({ message }) => ask({ text: t("failed", { reason: message }), deny: null }));
  feed.reload();
});
for (const tab of TABS) byId(`tab-${tab}`).addEventListener("click", () => showTab(tab));
document.addEventListener("visibilitychange", () => {
  telegram.draw();
  slack.draw();
});

drawBar();
showTab("telegram");
feed.connect();
