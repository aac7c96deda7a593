// What a publisher typed may name a host or an id, and nothing that leads elsewhere, as `..` in a path would.
const SAFE = /^(?!\.+$)[a-zA-Z0-9.-]+(:[0-9]+)?$/;

const ADDRESS = /^https?:\/\/[^\s/]+/;

/**
 * Fills the `{{Name}}` parts of an endpoint. Undefined where a part has no value or one that could bend the address,
 * or where the result is no http(s) address.
 */
export function fillEndpoint(endpoint: string, values: Readonly<Record<string, unknown>>): string | undefined {
  if (!endpoint.includes("{{")) return ADDRESS.test(endpoint) ? endpoint : undefined;
  let whole = true;
  const url = endpoint.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text === "string" && SAFE.test(text)) return text;
    whole = false;
    return "";
  });
  return whole && ADDRESS.test(url) ? url : undefined;
}
