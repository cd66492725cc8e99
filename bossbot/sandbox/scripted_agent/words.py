"""The table: which words choose which story, and what the agent says in it, in English and Chinese.

`STORIES` is in order of precedence. Each pattern is searched for in the message, ignoring case; a message that the
second pattern fits is not meant.
"""

import re

STORIES: dict[str, tuple[str, str]] = {
    "long_command": (r"\blong command\b|长命令", ""),
    "many_tools": (r"\bmany tools\b|\b200\b|很多工具", ""),
    "background_workflow": (r"\bbackground workflow\b|后台工作流|后台调研", ""),
    "workflow": (r"\bworkflow\b|\bresearch\b|\bsurvey\b|调研|工作流", ""),
    "slow": (r"^\W*slow\b|\bbe slow\b|\bslow (turn|answer)\b|\bslowly\b|慢一点|慢慢", ""),
    "error": (r"^\W*error\b|\b(show|make|play|raise|give me) (an|the) error\b|^\W*报错|来个报错|演示报错", ""),
    "git_status": (r"\bgit status\b|仓库状态", ""),
    "edit": (r"\bedit\b|\bwrite a file\b|编辑|写文件|写个文件", ""),
    "clean": (r"\bclean\b|\bdelete\b|\bwipe\b|\brm -rf\b|清理|清空|清掉|删除", r"\btasks?\b|\bplan\b|任务|计划"),
    "question": (r"\bask\b|\bquestion\b|\bchoose\b|提问|问我|选择", ""),
    "project": (r"\bproject\b|项目", ""),
    "next_task": (r"\bnext task\b|\bgo on\b|\bcontinue\b|下一个|继续", ""),
    "plan": (r"\bplan\b|\btasks?\b|计划|任务", ""),
    "help": (r"\bhelp\b|\bhello\b|\bhi\b|帮助|你好", ""),
}

RESTART_MARK = "[bossbot]"
"""How the bot's own words begin when it takes up a conversation that was cut off."""

PLAN_CHANGE_MARKS = ("[plan change", "[计划变更")

PLAN_CHANGE_LABELS: dict[str, tuple[str, ...]] = {
    "cancelled": ("cancel", "取消"),
    "paused": ("pause", "暂停"),
    "new": ("new", "新增", "新建"),
    "first": ("next", "first", "先做", "优先", "顺序"),
    "unchanged": ("unchanged", "continue", "不变", "继续"),
}

TASKS: tuple[tuple[str, str], ...] = (
    ("Fix the login failure", "修复登录失败"),
    ("Rebuild the cache layer", "重建缓存层"),
    ("Fix the API retry", "修复接口重试"),
)

PROJECT: tuple[tuple[str, str], ...] = (
    ("Read the log of the failure", "看失败的日志"),
    ("Reproduce it with a test", "用测试复现"),
    ("Write the fix", "写修复"),
)

AGENTS: dict[str, tuple[str, tuple[str, str], int]] = {
    "alpha": (
        "gather what the code does",
        ("The login path retries a 401 for ever.", "登录流程会无限重试 401。"),
        1840,
    ),
    "beta": (
        "gather what the logs say",
        ("Every failure follows an expired token.", "每次失败都发生在令牌过期之后。"),
        2310,
    ),
    "gamma": (
        "review both findings",
        ("Both agree: refresh the token once, then stop.", "两份结论一致：只刷新一次令牌，然后停止。"),
        1275,
    ),
}
"""The workflow's agents: what each is asked, what it finds, and the tokens it takes."""

WORKFLOW_SCRIPT = """export const meta = { name: 'survey', description: 'Why does the login fail?', phases: [
  { title: 'Gather' }, { title: 'Review' }] }
phase('Gather')
const found = await parallel([
  () => agent('gather what the code does', { label: 'alpha' }),
  () => agent('gather what the logs say', { label: 'beta' })])
phase('Review')
return await agent('review both findings: ' + found.join('; '), { label: 'gamma' })
"""

REMOVE_CACHE = "rm -rf build-cache"

CACHE_FILES = {"objects/main.o": 4096, "objects/util.o": 2048, "manifest.json": 512}
"""What a build leaves behind: name and size in bytes."""

NOTES_FILE = "NOTES.md"

WORDS: dict[str, tuple[str, str]] = {
    "chat": (
        "Hello, I am the **scripted agent** of the demo. There is no model behind me, but what I do is real: "
        "commands run and files are written in `{folder}`.\n\nTry one of these:\n\n"
        "- `clean the build cache`: a command that wants your approval\n"
        "- `long command`: 5 kB of command that end badly\n"
        "- `edit the notes`: a file that I may write when you agree\n"
        "- `ask me a question`: you choose, I go by it\n"
        "- `run a workflow`: phases and agents, live in one card\n"
        "- `background workflow`: the same, while we can go on talking\n"
        "- `make a plan`: three tasks; then change your mind in your own words\n"
        "- `run the project`: a plan on the board, progress and a question\n"
        "- `git status`: ten times the same question, for *approve for this session*\n"
        "- `many tools`, `be slow`, `error`: to see how that looks\n\n"
        "我也会中文：试试 `清理缓存`、`调研`、`做个计划`。",
        "你好，我是演示用的**脚本代理**。背后没有模型，但我做的事是真的：命令会执行，文件会写进 `{folder}`。\n\n"
        "可以试试：\n\n"
        "- `清理缓存`：一条需要你批准的命令\n"
        "- `长命令`：5 kB 的命令，结尾很危险\n"
        "- `编辑笔记`：你同意后我才写文件\n"
        "- `问我一个问题`：你来选，我照办\n"
        "- `做个调研`：阶段和代理实时显示在一张卡片里\n"
        "- `后台工作流`：同样的事，我们可以继续聊\n"
        "- `做个计划`：三个任务；然后用你自己的话改主意\n"
        "- `做个项目`：计划、进度和一个问题都在卡片里\n"
        "- `仓库状态`：同一个问题问十次，可以选*本次会话都批准*\n"
        "- `很多工具`、`慢一点`、`报错`：看看是什么样子",
    ),
    "chat.with_tasks": (
        "Noted. My list stays as it is until a plan change is applied:\n\n{tasks}",
        "记下了。在计划变更生效之前，我的清单不变：\n\n{tasks}",
    ),
    "clean.before": ("I need to clean the build cache.", "我需要清理构建缓存。"),
    "clean.done": (
        "Done: `build-cache` is gone ({files} files, {size} bytes).",
        "完成：`build-cache` 已删除（{files} 个文件，{size} 字节）。",
    ),
    "clean.failed": (
        "The command ended with {code}, and `build-cache` is still there:\n\n```\n{output}\n```",
        "命令以 {code} 结束，`build-cache` 还在：\n\n```\n{output}\n```",
    ),
    "refused": (
        "I did not do it. The reason I was given: **{reason}**",
        "我没有执行。收到的理由：**{reason}**",
    ),
    "long.before": ("This one is long. Please read it to its end.", "这条命令很长，请读到最后。"),
    "edit.content": (
        "# Notes\n\n- The login fails when the token has expired.\n- Refresh it once, then stop.\n",
        "# 笔记\n\n- 令牌过期时登录失败。\n- 只刷新一次，然后停止。\n",
    ),
    "edit.done": ("I wrote `{name}`.", "已写入 `{name}`。"),
    "edit.failed": ("`{name}` could not be written: {error}", "`{name}` 写入失败：{error}"),
    "question.text": ("Which database shall I use?", "用哪个数据库？"),
    "question.header": ("Database", "数据库"),
    "question.postgres": ("A server; for several processes", "独立服务，适合多进程"),
    "question.sqlite": ("One file; nothing to run", "单个文件，无需运行服务"),
    "question.memory": ("Forgets everything at the end", "结束后全部忘记"),
    "question.done": ("I take **{answer}**.", "好的，用 **{answer}**。"),
    "question.empty": ("No answer, so I leave it open.", "没有收到回答，先放着。"),
    "workflow.before": (
        "I let three agents look into it: two gather, one reviews.",
        "我让三个代理去查：两个收集，一个复核。",
    ),
    "workflow.held": (
        "All three agents are back; I put their findings together.",
        "三个代理都回来了，我来汇总。",
    ),
    "workflow.done": (
        "**The login fails because a 401 is retried for ever.**\n\n{finds}\n\n"
        "The fix: refresh the token once, then stop.",
        "**登录失败的原因：401 被无限重试。**\n\n{finds}\n\n修复办法：只刷新一次令牌，然后停止。",
    ),
    "workflow.background": (
        "The workflow runs in the background. Write to me meanwhile; I tell you when it is done.",
        "工作流在后台运行。你可以继续和我说话，完成后我告诉你。",
    ),
    "workflow.stopped": ("The workflow was stopped. Nothing of it is kept.", "工作流已停止，没有保留结果。"),
    "plan.done": (
        "The plan has three tasks. I begin with the first:\n\n{tasks}\n\n"
        "Change your mind whenever you like, for instance: *drop the cache work, the API retry comes first*.",
        "计划有三个任务，我先做第一个：\n\n{tasks}\n\n随时可以改主意，比如：*缓存不做了，先修接口重试*。",
    ),
    "plan.standing": ("This is the plan:\n\n{tasks}", "目前的计划：\n\n{tasks}"),
    "plan.finished": ("**{title}** is done.\n\n{tasks}", "**{title}** 已完成。\n\n{tasks}"),
    "plan.all_done": ("Every task is done.", "所有任务都完成了。"),
    "plan_change.done": (
        "Understood, I work by the changed plan:\n\n{tasks}",
        "明白，我按变更后的计划做：\n\n{tasks}",
    ),
    "plan_change.nothing": (
        "Understood. Nothing in my own list had to move.",
        "明白。我自己的清单不需要调整。",
    ),
    "project.alone": (
        "This bot offers me no board, so I cannot show you a project.",
        "这个机器人没有给我任务板，没法演示项目。",
    ),
    "project.objective": ("Log in works again", "登录恢复正常"),
    "project.found": ("The retry loop never ends after a 401.", "401 之后重试循环不会结束。"),
    "project.cause": ("A 401 is retried for ever.", "401 被无限重试。"),
    "project.question": ("How large may the fix be?", "修复可以改多大？"),
    "project.small": ("Only the retry", "只改重试"),
    "project.large": ("The whole client", "整个客户端"),
    "project.done": ("The project is done. {answer}", "项目完成。{answer}"),
    "many.done": ("I read {count} files, one after the other.", "我依次读了 {count} 次文件。"),
    "git.before": ("I look at the repository ten times.", "我看十次仓库状态。"),
    "git.done": ("{count} looks, and each said the same.", "看了 {count} 次，结果都一样。"),
    "slow.line": ("Step {number} of {count}: still at it.", "第 {number} 步，共 {count} 步：还在做。"),
    "error": (
        "The scripted model refused the request (this is the error you asked for).",
        "脚本模型拒绝了请求（这就是你要的错误）。",
    ),
    "stopped": ("Stopped, as you wished.", "已按你的要求停止。"),
}

_CHINESE = re.compile(r"[\u3400-\u9fff]")


def language_of(text: str) -> str:
    """`zh` when there is any Chinese in it, else `en`."""
    return "zh" if _CHINESE.search(text) else "en"
