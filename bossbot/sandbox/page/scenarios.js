// Stories that the page plays for the person: it types, waits until the bot has answered, and types on.

import { currentLanguage } from "./words.js";

const ANSWER_MAX_MS = 30_000;
const QUIET_MS = 1_200; // the bot has said nothing new for so long: it is the person's turn
const LOOK_MS = 150;

/** Each has a name and the messages that are typed, in English and Chinese. */
export const SCENARIOS = [
  { en: ["An approval", "clean the build cache"], zh: ["一次审批", "清理构建缓存"] },
  { en: ["A long command to read whole", "a long command please"], zh: ["读完整的长命令", "来一个长命令"] },
  { en: ["A workflow", "run a workflow"], zh: ["一个工作流", "运行一个工作流"] },
  { en: ["A workflow in the background", "a background workflow please"], zh: ["后台工作流", "运行后台工作流"] },
  {
    en: ["A change of mind", "plan three tasks", "drop the cache, fix the retry first"],
    zh: ["改变主意", "计划三个任务", "不做缓存了，先修重试"],
  },
  { en: ["A plan on the board", "run the project"], zh: ["看板上的计划", "做个项目"] },
  { en: ["A question", "ask me a question"], zh: ["一个问题", "问我一个问题"] },
  { en: ["200 tool calls", "make 200 tool calls"], zh: ["200 次工具调用", "用很多工具"] },
  { en: ["An edit of a file", "edit the notes"], zh: ["编辑文件", "编辑笔记文件"] },
  { en: ["An error", "show an error"], zh: ["一个错误", "来个报错"] },
  { en: ["Stop a slow answer", "slow please", "/stop"], zh: ["停止缓慢的回答", "慢一点", "停止"] },
];

/** The scenarios in the language now in use: [{name, lines}]. */
export function scenarios() {
  return SCENARIOS.map((one) => {
    const [name, ...lines] = one[currentLanguage()];
    return { name, lines };
  });
}

/** Type a scenario's lines by `say(line)`; `answered()` is a number that grows with what the bot has said. */
export async function play({ lines }, say, answered) {
  for (const [index, line] of lines.entries()) {
    const before = answered();
    await say(line);
    if (index < lines.length - 1) await turn(before, answered);
  }
}

async function turn(before, answered) {
  const end = performance.now() + ANSWER_MAX_MS;
  let last = before;
  let since = performance.now();
  while (performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const now = answered();
    if (now !== last) [last, since] = [now, performance.now()];
    if (now !== before && performance.now() - since > QUIET_MS) return;
  }
}
