-- What a bot of revision 0001 left behind: a session that waits for a decision, and what stood beside it.
INSERT INTO alembic_version (version_num) VALUES ('0001');
INSERT INTO sessions (id, title, status, version, hash, created_at, updated_at) VALUES
  ('ps_1', 'Fix the build', 'active', 4, '73d4f5772abe227b5b71f96bde5983c16b057df6204a8b9ccbd563e927ac7377',
   '2026-03-23T12:00:01.123Z', '2026-03-23T12:00:04.123Z');
INSERT INTO events (session_id, version, type, task_id, envelope, hash) VALUES
  ('ps_1', 1, 'session.created', NULL,
   '{"id":"evt_1","session_id":"ps_1","task_id":null,"source":"user","type":"session.created","timestamp":"2026-03-23T12:00:01.123Z","payload":{"title":"Fix the build","status":"active","active_objective":""}}',
   '02e4ad743d1a6decfd827697608c974b222cfbfdee25f8959e6d3f979a8423f0');
INSERT INTO events (session_id, version, type, task_id, envelope, hash) VALUES
  ('ps_1', 2, 'session.thread.bound', NULL,
   '{"id":"evt_2","session_id":"ps_1","task_id":null,"source":"user","type":"session.thread.bound","timestamp":"2026-03-23T12:00:02.123Z","payload":{"channel":"telegram","chat":"-100","thread":null}}',
   'b1b8afdfc4467e18b9b202f7c3c778971dd7190e820050850c73963aa6cb840c');
INSERT INTO events (session_id, version, type, task_id, envelope, hash) VALUES
  ('ps_1', 3, 'session.message.added', NULL,
   '{"id":"evt_3","session_id":"ps_1","task_id":null,"source":"user","type":"session.message.added","timestamp":"2026-03-23T12:00:03.123Z","payload":{"id":"msg_3","role":"user","channel":"telegram","content":"clean the build cache","author":"","author_name":"","answers":null,"steering":"queue"}}',
   'a37b619776dfee6f0e4f965369ef1548db6040986b66db6cd4f054d2bbf75cb1');
INSERT INTO events (session_id, version, type, task_id, envelope, hash) VALUES
  ('ps_1', 4, 'approval.requested', NULL,
   '{"id":"evt_4","session_id":"ps_1","task_id":null,"source":"manager","type":"approval.requested","timestamp":"2026-03-23T12:00:04.123Z","payload":{"id":"apr_1","session_id":"ps_1","task_id":null,"kind":"dangerous_command","summary":"rm -rf build-cache","risk_level":"high","status":"pending","request_id":"req_1","tool":"Bash","tool_use_id":"tool_1","tool_input":{"command":"rm -rf build-cache","env":"TOKEN=hunter2"},"suggestions":[{"type":"addRules"}]}}',
   '73d4f5772abe227b5b71f96bde5983c16b057df6204a8b9ccbd563e927ac7377');
INSERT INTO threads (channel, chat, thread, session_id) VALUES ('telegram', '-100', '', 'ps_1');
INSERT INTO messages (channel, chat, message_id, session_id) VALUES ('telegram', '-100', '5', 'ps_1');
INSERT INTO inbox ("key", received_at) VALUES ('telegram:41', '2026-03-23T12:00:03.123Z');
INSERT INTO memos (name, value) VALUES ('telegram.offset', '42');
INSERT INTO deliveries (session_id, channel, chat, thread, "key", card, once, revision, shown_revision, state,
  doubtful, owner, post, attempts, error) VALUES
  ('ps_1', 'telegram', '-100', '', 'apr:apr_1',
   '{"title":"rm -rf build-cache","tone":"waiting","blocks":[],"buttons":[],"fallback":""}',
   0, 1, 0, 'pending', 0, '', NULL, 0, '');
