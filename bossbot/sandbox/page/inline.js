// Inline markup by rules: the earliest match of any rule becomes a node, the rest stays text.
//
// A rule is {pattern, make}: `pattern` has the g flag, `make(match)` returns a node or a string,
// or null to leave the matched text as it was written.

/** Turn text into nodes and strings. */
export function inline(text, rules) {
  const out = [];
  const next = rules.map(() => undefined);
  let at = 0;
  while (at < text.length) {
    const found = earliest(text, at, rules, next);
    if (!found) break;
    const { match, rule } = found;
    const node = rule.make(match);
    if (match.index > at) out.push(text.slice(at, match.index));
    out.push(node ?? match[0]);
    at = match.index + match[0].length;
  }
  if (at < text.length) out.push(text.slice(at));
  return out;
}

/** The first match at or after `at`; `next` remembers matches that are still ahead (null: none left). */
function earliest(text, at, rules, next) {
  let best = null;
  rules.forEach((rule, index) => {
    if (next[index] === null) return;
    if (next[index] === undefined || next[index].index < at) {
      rule.pattern.lastIndex = at;
      next[index] = rule.pattern.exec(text);
    }
    const match = next[index];
    if (match && match[0] && (!best || match.index < best.match.index)) best = { match, rule };
  });
  return best;
}
