// The page's own words, in English and Chinese, and times. What people and bots write is never translated.

const EN = {
  title: "bossbot sandbox",
  tagline: "A local Telegram and a local Slack. You play the people; nothing leaves this machine.",
  live: "live",
  offline: "reconnecting…",
  language: "中文",
  languageLabel: "切换到中文",
  themeAuto: "Theme: as the system",
  themeLight: "Theme: light",
  themeDark: "Theme: dark",
  reset: "Start over",
  resetAsk: "Clear both workspaces and the call log? The bot itself keeps running.",
  cancel: "Cancel",
  ok: "OK",
  places: "Chats",
  channels: "Channels",
  directMessages: "Direct messages",
  speakAs: "You speak as",
  owner: "owner",
  approver: "approver",
  stranger: "stranger",
  app: "APP",
  bot: "bot",
  typing: "typing…",
  edited: "edited",
  onlyYou: "Only visible to you",
  messages: "Messages",
  writeTelegram: "Message",
  writeSlack: "Message {name}",
  writeReply: "Reply…",
  send: "Send",
  reply: "Reply",
  replyingTo: "Replying to {name}",
  cancelReply: "Stop replying",
  openPlaces: "Show chats",
  thread: "Thread",
  closeThread: "Close thread",
  replies: "{n} replies",
  oneReply: "1 reply",
  newBelow: "New messages",
  unread: "{n} unread",
  topic: "Topic {n}",
  forum_topic_created: "Topic “{name}” created",
  forum_topic_edited: "Topic renamed to “{name}”",
  forum_topic_closed: "Topic closed",
  forum_topic_reopened: "Topic reopened",
  suggestions: "Suggestions",
  showMore: "Show more or less",
  spoiler: "Hidden text: press to show",
  console: "Console",
  calls: "Calls",
  events: "Events",
  tools: "Tools",
  shown: "Shown",
  eventsHint: "The bot's own events, as they happen",
  noEvents: "No events yet. They appear here when a bot serves its feed, as the demo does.",
  kind_session: "Session",
  kind_plan: "Plan",
  kind_task: "Tasks",
  kind_approval: "Approvals",
  kind_tool: "Tool calls",
  kind_worker: "Workers",
  scenarios: "Scenarios",
  platform: "Platform",
  played: "Typed: {name}",
  trouble: "Trouble",
  count: "How often",
  makeTrouble: "Make it",
  troubleSet: "The next calls will meet it",
  stillToCome: "still to come",
  clockAndLimits: "Clock and limits",
  pushClock: "+{n} s",
  clockPushed: "The sandbox's time is {n} s further",
  rateLimits: "rate limits",
  settingsSaved: "Set",
  consoleHint: "What the bot asks of both platforms, as it happens",
  noCalls: "No calls yet. Start the bot and they appear here.",
  all: "All",
  refused: "Refused",
  refusedCount: "{n} refused",
  collapse: "Show or hide the console",
  emptyTitle: "Say something to the manager",
  emptyText: "It listens here as it would in the real app. Type below, or let a suggestion type for you.",
  new_chat_members: "{name} joined",
  migrate_to_chat_id: "The group was upgraded",
  migrate_from_chat_id: "This group was upgraded",
  attach: "Attach a file",
  thinking: "Thinking…",
  stop: "Stop",
  close: "Close",
  choose: "Choose…",
  optional: "optional",
  more: "More",
  cards: "Cards",
  checked: "done",
  unchecked: "not done",
  photo: "Photo",
  video: "Video",
  document: "File",
  audio: "Audio",
  animation: "Animation",
  voice_note: "Voice message",
  map: "Place",
  state_pending: "waiting",
  state_in_progress: "running",
  state_complete: "done",
  state_error: "failed",
  streaming: "being written",
  stoppedByUser: "stopped by a person",
  streamBroken: "broken off",
  acts: "Would act on the real Slack: ",
  unsupported: "A message the page cannot draw yet",
  failed: "Not done: {reason}",
  noAnswer: "the bot did not answer",
};

const ZH = {
  title: "bossbot 沙盒",
  tagline: "本机上的 Telegram 和 Slack。由你扮演其中的人，一切都不会离开这台机器。",
  live: "已连接",
  offline: "正在重连…",
  language: "English",
  languageLabel: "Switch to English",
  themeAuto: "主题：跟随系统",
  themeLight: "主题：浅色",
  themeDark: "主题：深色",
  reset: "重新开始",
  resetAsk: "清空两边的消息和调用记录？机器人会继续运行。",
  cancel: "取消",
  ok: "确定",
  places: "聊天",
  channels: "频道",
  directMessages: "私信",
  speakAs: "你的身份",
  owner: "负责人",
  approver: "审批人",
  stranger: "陌生人",
  app: "应用",
  bot: "机器人",
  typing: "正在输入…",
  edited: "已编辑",
  onlyYou: "仅你可见",
  messages: "消息",
  writeTelegram: "输入消息",
  writeSlack: "发消息到 {name}",
  writeReply: "回复…",
  send: "发送",
  reply: "回复",
  replyingTo: "回复 {name}",
  cancelReply: "取消回复",
  openPlaces: "显示聊天列表",
  thread: "消息列",
  closeThread: "关闭消息列",
  replies: "{n} 条回复",
  oneReply: "1 条回复",
  newBelow: "新消息",
  unread: "{n} 条未读",
  topic: "话题 {n}",
  forum_topic_created: "已创建话题“{name}”",
  forum_topic_edited: "话题已改名为“{name}”",
  forum_topic_closed: "话题已关闭",
  forum_topic_reopened: "话题已重新打开",
  suggestions: "建议",
  showMore: "展开或收起",
  spoiler: "隐藏内容：按下显示",
  console: "控制台",
  calls: "调用",
  events: "事件",
  tools: "工具",
  shown: "显示",
  eventsHint: "机器人自己的事件，实时显示",
  noEvents: "还没有事件。机器人提供事件流时（如演示中）会出现在这里。",
  kind_session: "会话",
  kind_plan: "计划",
  kind_task: "任务",
  kind_approval: "审批",
  kind_tool: "工具调用",
  kind_worker: "工作者",
  scenarios: "场景",
  platform: "平台",
  played: "已输入：{name}",
  trouble: "故障",
  count: "次数",
  makeTrouble: "制造",
  troubleSet: "接下来的调用会遇到它",
  stillToCome: "尚未发生",
  clockAndLimits: "时钟与限额",
  pushClock: "+{n} 秒",
  clockPushed: "沙盒的时间已前进 {n} 秒",
  rateLimits: "速率限制",
  settingsSaved: "已设置",
  consoleHint: "机器人对两个平台的请求，实时显示",
  noCalls: "还没有调用。启动机器人后会出现在这里。",
  all: "全部",
  refused: "被拒绝",
  refusedCount: "{n} 个被拒绝",
  collapse: "显示或隐藏控制台",
  emptyTitle: "对经理说点什么",
  emptyText: "它在这里和在真实应用里一样在听。在下面输入，或点一条建议替你输入。",
  new_chat_members: "{name} 加入了",
  migrate_to_chat_id: "群组已升级",
  migrate_from_chat_id: "此群组已升级",
  attach: "添加文件",
  thinking: "思考中…",
  stop: "停止",
  close: "关闭",
  choose: "请选择…",
  optional: "可选",
  more: "更多",
  cards: "卡片",
  checked: "已完成",
  unchecked: "未完成",
  photo: "图片",
  video: "视频",
  document: "文件",
  audio: "音频",
  animation: "动画",
  voice_note: "语音消息",
  map: "位置",
  state_pending: "等待中",
  state_in_progress: "运行中",
  state_complete: "已完成",
  state_error: "失败",
  streaming: "正在书写",
  stoppedByUser: "已被人停止",
  streamBroken: "已中断",
  acts: "在真实 Slack 上会生效：",
  unsupported: "页面还不会显示的消息",
  failed: "未完成：{reason}",
  noAnswer: "机器人没有回应",
};

/** What the suggestion chips type for the person. */
const SUGGESTIONS = {
  en: [
    "clean the build cache",
    "run a workflow",
    "plan three tasks",
    "drop the cache, fix the retry first",
    "ask me a question",
    "hello",
  ],
  zh: ["清理构建缓存", "运行一个工作流", "计划三个任务", "不做缓存了，先修重试", "问我一个问题", "你好"],
};

let language = "en";

/** Choose the page's language: "en" or "zh". */
export function setLanguage(wanted) {
  language = wanted === "zh" ? "zh" : "en";
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
}

/** The language now in use. */
export function currentLanguage() {
  return language;
}

/** The words for a key, with {name} places filled in. */
export function t(key, values = {}) {
  const words = (language === "zh" ? ZH : EN)[key] ?? EN[key] ?? key;
  return words.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** The role of a person in the page's language; an unknown role is shown as it is. */
export function roleName(role) {
  return role in EN ? t(role) : String(role ?? "");
}

/** What the suggestion chips say and type. */
export function suggestions() {
  return SUGGESTIONS[language];
}

/** Put words into every element that names a key: data-t (text), data-t-label, data-t-title. */
export function translate(root) {
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of root.querySelectorAll("[data-t-label]")) node.setAttribute("aria-label", t(node.dataset.tLabel));
  for (const node of root.querySelectorAll("[data-t-title]")) node.title = t(node.dataset.tTitle);
}

/** Hours and minutes of a time in seconds since the epoch. */
export function clock(seconds, withSeconds = false) {
  const date = new Date(Number(seconds) * 1000);
  if (Number.isNaN(date.getTime())) return "";
  return date.toTimeString().slice(0, withSeconds ? 8 : 5);
}

/** A size in bytes, in a unit that a person reads. */
export function bytes(size) {
  const unit = size < 1024 ? 0 : size < 1024 ** 2 ? 1 : 2;
  return `${(size / 1024 ** unit).toFixed(unit ? 1 : 0)} ${["B", "kB", "MB"][unit]}`;
}
