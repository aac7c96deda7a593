import { Problem } from "../../../platform/http/problem.ts";
import { parseJson } from "../http/json.ts";

/** Messages by the path of the wrong field. */
export type Faults = Record<string, string>;
/** Checks one value and adds its faults. */
export type Rule = (value: unknown, path: string, faults: Faults) => void;

const below = (path: string, field: string | number) => (path === "" ? String(field) : `${path}.${field}`);

export const text =
  (max: number, pattern?: RegExp, wanted = "has the wrong form"): Rule =>
  (value, path, faults) => {
    if (typeof value !== "string") faults[path] = "must be a text";
    else if (value.length > max) faults[path] = `must have at most ${max} characters`;
    else if (pattern && !pattern.test(value)) faults[path] = wanted;
  };

export const whole =
  (min: number, max: number): Rule =>
  (value, path, faults) => {
    if (!Number.isSafeInteger(value)) faults[path] = "must be a whole number";
    else if ((value as number) < min || (value as number) > max) faults[path] = `must be from ${min} to ${max}`;
  };

export const oneOf = (values: readonly string[]): Rule => {
  const known = new Set<unknown>(values);
  return (value, path, faults) => {
    if (!known.has(value)) faults[path] = `must be one of ${values.join(", ")}`;
  };
};

export const optional =
  (rule: Rule): Rule =>
  (value, path, faults) => {
    if (value !== undefined) rule(value, path, faults);
  };

export const list =
  (rule: Rule, max: number): Rule =>
  (value, path, faults) => {
    if (!Array.isArray(value)) faults[path] = "must be a list";
    else if (value.length > max) faults[path] = `must have at most ${max} items`;
    else for (let index = 0; index < value.length; index++) rule(value[index], below(path, index), faults);
  };

/** Values by names that the caller chooses. */
export const record =
  (name: RegExp, rule: Rule, max: number): Rule =>
  (value, path, faults) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) faults[path] = "must be an object";
    else if (Object.keys(value).length > max) faults[path] = `must have at most ${max} entries`;
    else
      for (const [key, each] of Object.entries(value)) {
        if (name.test(key)) rule(each, below(path, key), faults);
        else faults[below(path, key)] = "has a name of the wrong form";
      }
  };

/** Other fields are allowed, as in the contract, and never read. */
export const object = (fields: Record<string, Rule>): Rule => {
  const rules = Object.entries(fields);
  return (value, path, faults) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      faults[path === "" ? "body" : path] = "must be an object";
      return;
    }
    for (const [field, rule] of rules) {
      rule((value as Record<string, unknown>)[field], below(path, field), faults);
    }
  };
};

/** Parses and checks a body. Throws Problem `invalid` with every wrong field. */
export function readBody(body: unknown, rule: Rule): unknown {
  const value = parseJson(body);
  const faults: Faults = {};
  rule(value, "", faults);
  for (const _ in faults) throw new Problem("invalid", faults);
  return value;
}
