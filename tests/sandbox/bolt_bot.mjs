// A bot as @slack/bolt's users write them: nothing in it knows of the sandbox but the address that it is started with.
import { createRequire } from "node:module";
import { join } from "node:path";

const { App } = createRequire(join(process.env.BOSSBOT_TEST_NODE_MODULES, "of-the-tests.js"))("@slack/bolt");
const http = process.env.PORT !== undefined;

const app = new App({
  token: process.env.SLACK_BOT_TOKEN,
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL },
  ...(http
    ? { signingSecret: process.env.SLACK_SIGNING_SECRET }
    : { appToken: process.env.SLACK_APP_TOKEN, socketMode: true }),
});

const button = (text, action_id) => ({ type: "button", text: { type: "plain_text", text }, action_id, value: "v1" });

app.event("app_mention", async ({ event, say }) => {
  await say({
    text: `What shall I do, <@${event.user}>?`,
    thread_ts: event.thread_ts ?? event.ts,
    blocks: [
      { type: "section", text: { type: "mrkdwn", text: "*Deploy?*" } },
      { type: "actions", elements: [button("Approve", "approve"), button("Why not", "reason")] },
    ],
  });
});

app.message(/^again$/, async ({ message, say }) => {
  await say({ text: "in the thread", thread_ts: message.thread_ts ?? message.ts });
});

app.action("approve", async ({ ack, body, client, respond }) => {
  await ack();
  await client.chat.update({ channel: body.channel.id, ts: body.message.ts, text: `approved by ${body.user.id}`, blocks: [] });
  await respond({ text: "noted", response_type: "ephemeral", replace_original: false });
});

app.action("reason", async ({ ack, body, client }) => {
  await ack();
  await client.views.open({
    trigger_id: body.trigger_id,
    view: {
      type: "modal",
      callback_id: "reason",
      private_metadata: body.channel.id,
      title: { type: "plain_text", text: "Reason" },
      submit: { type: "plain_text", text: "Send" },
      blocks: [
        {
          type: "input",
          block_id: "why",
          label: { type: "plain_text", text: "Why?" },
          element: { type: "plain_text_input", action_id: "text" },
        },
      ],
    },
  });
});

app.view("reason", async ({ ack, view, client, body }) => {
  const why = view.state.values.why.text.value;
  if (why.length < 3) {
    await ack({ response_action: "errors", errors: { why: "Say more." } });
    return;
  }
  await ack();
  await client.chat.postMessage({ channel: view.private_metadata, text: `<@${body.user.id}>: ${why}` });
});

app.command("/deploy", async ({ ack, command, respond }) => {
  await ack(`deploying ${command.text}`);
  await respond({ text: `deployed ${command.text}`, response_type: "in_channel" });
});

app.event("message", async ({ event, client }) => {
  if (event.subtype !== "file_share" || event.bot_id) return;
  const headers = { Authorization: `Bearer ${process.env.SLACK_BOT_TOKEN}` };
  const content = await (await fetch(event.files[0].url_private, { headers })).text();
  await client.filesUploadV2({
    channel_id: event.channel,
    content: content.toUpperCase(),
    filename: `loud-${event.files[0].name}`,
    initial_comment: "louder",
  });
});

app.error(async (error) => console.error(error));
await app.start(...(http ? [{ port: Number(process.env.PORT), host: "127.0.0.1" }] : []));
console.log("ready");
