import { isObject } from "@millrace/openrtb";
import type { KeyForm, KeyProperty, KeysSchema } from "./adapter.ts";

/** A fault in a publisher's keys: the key's name (empty for all keys) and a message that continues it ("is required"). */
export interface KeysFault {
  key: string;
  message: string;
}

/** Checks keys against a partner's schema; null if they are valid. Never throws. */
export function checkKeys(schema: KeysSchema, typed: unknown): KeysFault | null {
  if (!isObject(typed)) return { key: "", message: "must be an object" };
  const keys = keysBySchema(schema, typed);
  for (const key of schema.required) if (!isPresent(keys, key)) return { key, message: "is required" };
  for (const [key, value] of Object.entries(keys)) {
    const property = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (property === undefined) {
      if (schema.additionalProperties === false) return { key, message: "is not a key of this partner" };
      continue;
    }
    const message = checkKey(property, value);
    if (message !== undefined) return { key, message };
  }
  const groups = schema.anyOf ?? [];
  if (groups.length === 0 || groups.some(({ required }) => required.every((key) => isPresent(keys, key)))) return null;
  const choices = groups.map(({ required }) => required.join(" with ")).join(", or ");
  return { key: groups[0]?.required[0] ?? "", message: `is required: ${choices}` };
}

/** The keys under the names and in the forms of the schema. A key that is there under both names counts. */
export function keysBySchema<Keys extends object>({ aliases = {}, forms = {} }: KeysSchema, typed: Keys): Keys {
  const keys = { ...typed } as Keys & Record<string, unknown>;
  for (const [alias, name] of Object.entries(aliases)) {
    if (!Object.hasOwn(keys, alias)) continue;
    if (!isPresent(keys, name)) Object.assign(keys, { [name]: keys[alias] });
    delete keys[alias];
  }
  for (const [name, form] of Object.entries(forms)) {
    if (!Object.hasOwn(keys, name)) continue;
    const value = form(keys[name]);
    if (value === undefined) delete keys[name];
    else Object.assign(keys, { [name]: value });
  }
  return keys;
}

/** For a number that requests may bring as text, where empty text is none. */
export const asNumber: KeyForm = (value) => {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (text === "") return undefined;
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : value;
};

/** For text that requests may bring as a number. */
export const asText: KeyForm = (value) => (typeof value === "number" ? String(value) : value);

const isPresent = (keys: Record<string, unknown>, key: string): boolean =>
  Object.hasOwn(keys, key) && keys[key] !== undefined && keys[key] !== "";

function checkKey(property: KeyProperty, value: unknown): string | undefined {
  if (property.type === "boolean") return typeof value === "boolean" ? undefined : "must be true or false";
  if (property.type === "array") return checkList(property, value);
  const wrong = property.type === "string" ? checkText(property, value) : checkNumber(property, value);
  if (wrong !== undefined) return wrong;
  const choices = property.enum;
  return choices === undefined || choices.some((choice) => choice === value)
    ? undefined
    : `must be one of ${choices.join(", ")}`;
}

const LONGEST_LIST = 100;

function checkList({ items = { type: "string" } }: KeyProperty, value: unknown): string | undefined {
  if (!Array.isArray(value)) return "must be a list";
  if (value.length > LONGEST_LIST) return `must have at most ${LONGEST_LIST} entries`;
  for (const entry of value) {
    const wrong = checkKey({ type: items.type, title: "" }, entry);
    if (wrong !== undefined) return `${wrong} (each entry)`;
  }
  return undefined;
}

function checkText({ pattern, minLength = 0, maxLength = 1024 }: KeyProperty, value: unknown): string | undefined {
  if (typeof value !== "string") return "must be text";
  if (value.length < minLength) return `must have at least ${minLength} characters`;
  if (value.length > maxLength) return `must have at most ${maxLength} characters`;
  return pattern === undefined || new RegExp(pattern, "u").test(value) ? undefined : "has the wrong form";
}

function checkNumber({ type, minimum, maximum }: KeyProperty, value: unknown): string | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return "must be a number";
  if (type === "integer" && !Number.isInteger(value)) return "must be a whole number";
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  return maximum !== undefined && value > maximum ? `must be at most ${maximum}` : undefined;
}
