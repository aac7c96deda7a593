import { type Keys, type KeyProperty, type RtbExt, TEXTS } from "@millrace/contract";

export type KeysForm = RtbExt["schemas"][string]["keys_schema"];

/** The form's values: texts and checkboxes. */
export type Typed = Readonly<Record<string, string | boolean | undefined>>;

const INTEGER = /^[+-]?\d{1,15}$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)$/;
const DIGITS = /^\d{1,15}$/;

/** Every field of a partner's form in order, with required ones marked. */
export const fieldsOf = ({ properties, required }: KeysForm) =>
  Object.entries(properties).map(([name, property]) => ({ name, property, required: required.includes(name) }));

const textOf = (typed: Typed, name: string): string => String(typed[name] ?? "").trim();

/** The items of a comma-separated list, or null if the text is not one. */
function itemsOf(text: string, { items }: KeyProperty): string[] | null {
  const parts = text.split(",").map((part) => part.trim());
  const wholesome = parts.every((part) => (items && items.type !== "string" ? DIGITS.test(part) : part !== ""));
  return wholesome ? parts : null;
}

/** The error of a text by its type; the server checks the partner's further rules. */
function typeFault(text: string, property: KeyProperty): string | undefined {
  if (property.enum !== undefined) return undefined;
  if (property.type === "integer" && !INTEGER.test(text)) return "Field must be an integer";
  if (property.type === "number" && !NUMBER.test(text)) return "Field must be a number";
  if (property.type === "array" && itemsOf(text, property) === null) {
    return "Field must contain comma separated value list";
  }
  return undefined;
}

/** The error of each field. */
export function keyFaults(form: KeysForm, typed: Typed): Record<string, string | undefined> {
  return Object.fromEntries(
    fieldsOf(form).map(({ name, property, required }) => {
      // An unticked box is an answer: no.
      if (property.type === "boolean") return [name, undefined];
      const text = textOf(typed, name);
      if (text === "") return [name, required ? TEXTS.required : undefined];
      return [name, typeFault(text, property)];
    }),
  );
}

function valueOf(typed: Typed, name: string, property: KeyProperty): Keys[string] | undefined {
  if (property.type === "boolean") return typed[name] === true;
  const text = textOf(typed, name);
  if (text === "") return undefined;
  const chosen = property.enum?.find((value) => String(value) === text);
  if (chosen !== undefined) return chosen;
  if (property.type === "integer" || property.type === "number") return Number(text);
  if (property.type !== "array") return text;
  const items = itemsOf(text, property) ?? [];
  return property.items && property.items.type !== "string" ? items.map(Number) : items;
}

/** The keys of a valid form, without empty fields. */
export function keysOf(form: KeysForm, typed: Typed): Keys {
  const keys: Keys = {};
  for (const { name, property } of fieldsOf(form)) {
    const value = valueOf(typed, name, property);
    if (value !== undefined) keys[name] = value;
  }
  return keys;
}

/** Keys as values of the form. */
export const typedOf = (keys: Keys): Typed =>
  Object.fromEntries(
    Object.entries(keys).map(([name, value]) => [name, typeof value === "boolean" ? value : keyText(value)]),
  );

/** A key as readable text. */
export const keyText = (value: Keys[string]): string =>
  Array.isArray(value) ? value.join(", ") : typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
