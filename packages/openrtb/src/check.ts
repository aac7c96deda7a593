/** A fault in a value. `path` is like `imp[0].banner.w`, and empty for the value itself. */
export interface Fault {
  path: string;
  message: string;
}

/** Checks one value; null if it is valid. */
export type Check = (value: unknown) => Fault | null;

export type JsonObject = Record<string, unknown>;

/** Far deeper than any real extension, and far below the depth that overflows a serialiser's stack. */
export const MAX_DEPTH = 64;

const fault = (message: string): Fault => ({ path: "", message });

/** Prefixes a fault's path with the key of the object or array that holds the value. */
export function inside(key: string, { path, message }: Fault): Fault {
  return { path: path === "" || path.startsWith("[") ? key + path : `${key}.${path}`, message };
}

/** True for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const string: Check = (value) => (typeof value === "string" ? null : fault("must be a string"));
export const text: Check = (value) =>
  typeof value === "string" && value !== "" ? null : fault("must be a non-empty string");

/** Longer than any real id; a longer one would only be expensive to copy and compare. */
export const MAX_ID_LENGTH = 512;

export const identifier: Check = (value) =>
  typeof value === "string" && value !== "" && value.length <= MAX_ID_LENGTH
    ? null
    : fault(`must be a string of 1 to ${MAX_ID_LENGTH} characters`);

export const integer: Check = (value) => (Number.isInteger(value) ? null : fault("must be an integer"));
export const number: Check = (value) => (Number.isFinite(value) ? null : fault("must be a finite number"));
export const flag: Check = (value) => (value === 0 || value === 1 ? null : fault("must be 0 or 1"));

/** A whole number of at least `min`. */
export function integerFrom(min: number): Check {
  const message = min === 1 ? "must be a positive integer" : `must be an integer of at least ${min}`;
  return (value) => (Number.isInteger(value) && (value as number) >= min ? null : fault(message));
}

/** A finite number within both bounds. */
export function between(min: number, max: number): Check {
  const message = max === Infinity ? `must be a finite number of at least ${min}` : `must be from ${min} to ${max}`;
  return (value) =>
    Number.isFinite(value) && (value as number) >= min && (value as number) <= max ? null : fault(message);
}

/** A string of the given form; `what` ends the sentence "must be ...". */
export function matching(pattern: RegExp, what: string): Check {
  return (value) => (typeof value === "string" && pattern.test(value) ? null : fault(`must be ${what}`));
}

/** An array of items that pass. */
export function listOf(item: Check, { min = 0, max = Infinity } = {}): Check {
  return (value) => {
    if (!Array.isArray(value)) return fault("must be an array");
    if (value.length < min) return fault("must not be empty");
    if (value.length > max) return fault(`must have at most ${max} items`);
    for (let i = 0; i < value.length; i++) {
      const found = item(value[i]);
      if (found !== null) return inside(`[${i}]`, found);
    }
    return null;
  };
}

export const count = integerFrom(0);
export const cpm = between(0, Infinity);
export const strings = listOf(string);
export const codes = listOf(integer);

/** A JSON object that is passed on unchanged. Only its depth is limited, so that no serialiser overflows. */
export const extension: Check = (value) => {
  if (!isObject(value)) return fault("must be an object");
  return unknownField(value);
};

const unknownField: Check = (value) =>
  typeof value === "object" && value !== null && nestsDeeperThan(value, MAX_DEPTH)
    ? fault(`must not nest deeper than ${MAX_DEPTH} levels`)
    : null;

function nestsDeeperThan(value: object, levels: number): boolean {
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeep(item, levels));
  const fields = value as JsonObject;
  for (const key in fields) if (isDeep(fields[key], levels)) return true;
  return false;
}

const isDeep = (child: unknown, levels: number): boolean =>
  typeof child === "object" && child !== null && nestsDeeperThan(child, levels - 1);

interface ObjectRules {
  required?: readonly string[];
  /** A rule between fields, checked after each field is valid. */
  rule?: (value: JsonObject) => Fault | null;
}

/**
 * A JSON object whose known fields are checked; unknown ones are kept. A null counts as absent: many encoders write every field, and
 * Prebid Server reads them so. Rules must not see nulls, so `withoutNulls` comes first where there are rules. Iterates over present
 * fields only: a request has some 60 of the standard's 400, and looking up the absent ones would take most of the time.
 */
export function object(fields: Record<string, Check>, { required = [], rule }: ObjectRules = {}): Check {
  const checks = new Map(Object.entries(fields));
  return (value) => {
    if (!isObject(value)) return fault("must be an object");
    for (const name of required) if ((value[name] ?? null) === null) return { path: name, message: "is required" };
    for (const key in value) {
      const field = value[key];
      if (field === undefined || field === null) continue;
      const found = (checks.get(key) ?? unknownField)(field);
      if (found !== null) return inside(key, found);
    }
    return rule === undefined ? null : rule(value);
  };
}

/**
 * An extension whose listed fields are checked if present: OpenRTB 2.5 has in `ext` what 2.6 has as fields. A privacy
 * signal of the wrong type is refused by name, never treated as absent.
 */
export const extensionWith = (fields: Record<string, Check>): Check => object(fields);

/** For video and audio: `maxduration` must not be less than `minduration`. */
export function durationsFit({ minduration, maxduration }: JsonObject): Fault | null {
  const fits = minduration === undefined || maxduration === undefined || Number(minduration) <= Number(maxduration);
  return fits ? null : { path: "maxduration", message: "must not be less than minduration" };
}
