const WORD = /^[\w.-]{1,64}$/;

/** Of a failure at a network, what may be logged: its names. Its message and cause can hold codes and tokens. */
export function failureOf(error: unknown): Record<string, string> {
  const names: Record<string, string> = {};
  for (const [name, value] of [
    ["failure", field(error, "code") ?? field(error, "name")],
    ["cause", field(field(error, "cause"), "code") ?? field(field(error, "cause"), "name")],
    // What the network itself calls it (RFC 6749, sections 4.1.2.1 and 5.2).
    ["said", field(error, "error")],
  ] as const) {
    if (typeof value === "string" && WORD.test(value)) names[name] = value;
  }
  return names;
}

const field = (of: unknown, name: string): unknown =>
  typeof of === "object" && of !== null ? (of as Record<string, unknown>)[name] : undefined;
