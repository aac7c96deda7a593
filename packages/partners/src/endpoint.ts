// A publisher's key may name a host or an id, but nothing that changes the address, such as `..` in a path.
const SAFE = /^(?!\.+$)[a-zA-Z0-9.-]+(:[0-9]+)?$/;

const ADDRESS = /^https?:\/\/[^\s/]+/;

/**
 * Fills in the `{{Name}}` parts of an endpoint. Undefined if a part has no value or an unsafe one, or if the result is not
 * an http(s) address.
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
