// What a developer does to both platforms: plays a scenario, makes trouble, pushes the clock, eases the limits.

import { button, div, fill, h, span } from "./dom.js";
import { getJson, post } from "./feed.js";
import { play, scenarios } from "./scenarios.js";
import { t } from "./words.js";

const PLATFORMS = { telegram: "Telegram", slack: "Slack" };
const JUMPS_S = [60, 150, 3600];

export class Tools {
  root = h("div", { class: "tools", hidden: true, id: "tools" });
  #panels;
  #shelf;
  #faults = { kinds: [], faults: [] };
  #settings = {};
  #platform = "telegram";
  #playing = "";
  #said = h("p", { class: "tools-said muted", role: "status" });

  /** `panels` maps a platform to {say(text), answered}: who types for the person there. */
  constructor(panels) {
    this.#panels = panels;
    this.translate();
  }

  /** What the sandbox is set to now. */
  update(settings) {
    if (JSON.stringify(settings) === JSON.stringify(this.#settings)) return;
    this.#settings = settings ?? {};
    this.translate();
  }

  /** Fetch which troubles there are, and which are still to come. */
  async refresh() {
    this.#faults = await getJson("/sandbox/faults");
    this.translate();
  }

  /** Draw again, in the language now in use. */
  translate() {
    const focus = this.root.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    fill(this.root, this.#scenarios(), this.#trouble(), this.#clock(), this.#said);
    if (focus) [...this.root.querySelectorAll("[data-focus]")].find((node) => node.dataset.focus === focus)?.focus();
  }

  #group(title, ...children) {
    return h("fieldset", { class: "tool" }, h("legend", {}, title), children);
  }

  #scenarios() {
    const where = h(
      "select",
      { "aria-label": t("platform"), "data-focus": "where" },
      Object.entries(PLATFORMS).map(([id, name]) => h("option", { value: id, selected: id === this.#platform }, name)),
    );
    where.addEventListener("change", () => (this.#platform = where.value));
    const start = (one) => () => this.#play(one);
    const one = (scenario) =>
      button(
        {
          class: "tool-button",
          "data-focus": scenario.name,
          "aria-disabled": this.#playing !== "" && "true",
          "aria-busy": this.#playing === scenario.name && "true",
          title: scenario.lines.join(" → "),
          onclick: start(scenario),
        },
        scenario.name,
      );
    return this.#group(t("scenarios"), where, div("tool-row", scenarios().map(one)));
  }

  async #play(scenario) {
    if (this.#playing) return;
    const panel = this.#panels[this.#platform];
    this.#playing = scenario.name;
    this.translate();
    await this.#tell(() => play(scenario, (line) => panel.type(line), () => panel.answered), t("played", { name: scenario.name }));
    this.#playing = "";
    this.translate();
  }

  #trouble() {
    const kinds = this.#faults.kinds;
    const choice = h(
      "select",
      { "aria-label": t("trouble"), "data-focus": "trouble" },
      kinds.map((kind) =>
        h("option", { value: `${kind.platform}/${kind.kind}`, title: kind.description }, `${PLATFORMS[kind.platform]}: ${kind.kind}`),
      ),
    );
    const about = span("muted tool-about", "");
    const describe = () => {
      const [platform, name] = choice.value.split("/");
      about.textContent = kinds.find((kind) => kind.platform === platform && kind.kind === name)?.description ?? "";
    };
    choice.addEventListener("change", describe);
    describe();
    const count = h("input", { type: "number", min: "1", max: "99", value: "1", "aria-label": t("count"), "data-focus": "count" });
    const make = async () => {
      const [platform, kind] = choice.value.split("/");
      await this.#tell(() => post("/sandbox/faults", { platform, kind, count: Number(count.value) || 1 }), t("troubleSet"));
      await this.refresh();
    };
    const waiting = this.#faults.faults.map((fault) => `${PLATFORMS[fault.platform]}: ${fault.kind} ×${fault.count}`);
    return this.#group(
      t("trouble"),
      div("tool-row", choice, count, button({ class: "tool-button", "data-focus": "make", onclick: make }, t("makeTrouble"))),
      about,
      waiting.length > 0 && div("muted", `${t("stillToCome")}: ${waiting.join(", ")}`),
    );
  }

  #clock() {
    const push = (seconds) => () =>
      this.#tell(() => post("/sandbox/clock", { advance_s: seconds }), t("clockPushed", { n: seconds }));
    const limits = h("input", { type: "checkbox", checked: this.#settings.rate_limits !== false, "data-focus": "limits" });
    limits.addEventListener("change", () =>
      this.#tell(() => post("/sandbox/settings", { rate_limits: limits.checked }), t("settingsSaved")),
    );
    return this.#group(
      t("clockAndLimits"),
      div(
        "tool-row",
        JUMPS_S.map((seconds) =>
          button({ class: "tool-button", "data-focus": `push${seconds}`, onclick: push(seconds) }, t("pushClock", { n: seconds })),
        ),
        h("label", { class: "tool-check" }, limits, t("rateLimits")),
      ),
    );
  }

  async #tell(work, words) {
    try {
      await work();
      this.#said.textContent = words;
    } catch (error) {
      this.#said.textContent = t("failed", { reason: error.message });
    }
  }
}
