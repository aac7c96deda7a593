/** Deeper than any valid body; ten thousand levels would overflow the stack. */
const DEEPEST = 64;
/** Several times what the largest valid body has: a thousand floors. Checking a million values would hold up everybody. */
const MOST_VALUES = 20_000;
/** A lone surrogate. */
const HALF = /\p{Surrogate}/u;

/**
 * The first field, by its path, that no call accepts, and why: text or a key that PostgreSQL cannot store (U+0000, or a lone
 * surrogate, which JSON can write as `\ud800`), a key that would change an object's prototype when copied, excessive nesting, or
 * too many values.
 */
export function unfitField(value: unknown): { path: string; reason: string } | undefined {
  const left = [{ value, path: "", depth: 0 }];
  let values = 0;
  for (let next = left.pop(); next; next = left.pop()) {
    const { path, depth } = next;
    const reason = typeof next.value === "string" ? unfitText(next.value) : undefined;
    if (reason !== undefined) return { path, reason };
    if (typeof next.value !== "object" || next.value === null) continue;
    if (depth === DEEPEST) return { path, reason: "Is nested too deeply" };
    values += Array.isArray(next.value) ? next.value.length : Object.keys(next.value).length;
    if (values > MOST_VALUES) return { path: path === "" ? "body" : path, reason: "Has too many values" };
    const inner = Object.entries(next.value).map(([key, one]: [string, unknown]) => ({
      key,
      value: one,
      path: path === "" ? key : `${path}.${key}`,
      depth: depth + 1,
    }));
    for (const { key } of inner) {
      const fault = unfitText(key);
      if (fault !== undefined) return { path: path === "" ? "body" : path, reason: `A key in it: ${fault}` };
    }
    const proto = inner.find(({ key }) => key === "__proto__");
    // At the top level the schema reports it, together with other unknown fields.
    if (proto && depth > 0) return { path: proto.path, reason: "This field is not known" };
    left.push(...inner.reverse());
  }
  return undefined;
}

function unfitText(text: string): string | undefined {
  if (text.includes("\0")) return "Must not contain the character U+0000";
  return HALF.test(text) ? "Must not contain half of a character" : undefined;
}
