const WORD = /^[\w.-]{1,64}$/;

/**
 * The loggable part of an identity provider's failure: its codes. Its message and cause can contain codes and tokens.
 */
export function failureOf(error: unknown): Record<string, string> {
  const names: Record<string, string> = {};
  for (const [name, value] of [
    ["failure", field(error, "code") ?? field(error, "name")],
    ["cause", field(field(error, "cause"), "code") ?? field(field(error, "cause"), "name")],
    // The identity provider's own error code (RFC 6749, sections 4.1.2.1 and 5.2).
    ["said", field(error, "error")],
  ] as const) {
    if (typeof value === "string" && WORD.test(value)) names[name] = value;
  }
  return names;
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
