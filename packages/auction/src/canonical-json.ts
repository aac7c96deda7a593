/**
 * JSON with object keys in UTF-16 order and no spaces: equal values give equal text. Undefined fields are left out; NaN
 * and Infinity become null, as in JSON.stringify.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) {
    let items = "";
    for (const item of value) items += (items === "" ? "" : ",") + canonicalJson(item);
    return `[${items}]`;
  }
  const fields = value as Record<string, unknown>;
  let text = "";
  for (const key of Object.keys(fields).sort()) {
    const field = fields[key];
    if (field !== undefined) text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(field)}`;
  }
  return `{${text}}`;
}

/**
 * The path of the first difference between two JSON values, such as `imps[0].order[1].priceMicros`; null if they are
 * equal.
 */
export function firstDifference(a: unknown, b: unknown, path = ""): string | null {
  if (Object.is(a, b)) return null;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return path;
  if (Array.isArray(a) !== Array.isArray(b)) return path;
  const isList = Array.isArray(a);
  const left = new Map<string, unknown>(Object.entries(a));
  const right = new Map<string, unknown>(Object.entries(b));
  for (const key of [...new Set([...left.keys(), ...right.keys()])].sort(isList ? byNumber : undefined)) {
    const inner = isList ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    if (left.has(key) !== right.has(key)) return inner;
    const found = firstDifference(left.get(key), right.get(key), inner);
    if (found !== null) return found;
  }
  return null;
}

const byNumber = (a: string, b: string): number => Number(a) - Number(b);
