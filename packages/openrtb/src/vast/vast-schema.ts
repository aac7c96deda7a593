import { VAST_TYPES, type VastVersion } from "./vast-schema.data.ts";

/** One child of an element, as the schema lists it. */
export interface VastChild {
  name: string;
  /** The name of its type. */
  type: string;
  isRequired: boolean;
  isRepeatable: boolean;
}

/** The parsed type of an element. */
export interface VastSchema {
  children: readonly VastChild[];
  order: "sequence" | "any" | "one";
  /** By name; true if required. */
  attributes: ReadonlyMap<string, boolean>;
  isOpen: boolean;
}

const schemas = new Map<string, VastSchema>();

/** The schema of a type in a version. A type that is not listed holds text. */
export function vastSchema(version: VastVersion, type: string): VastSchema {
  const key = `${version} ${type}`;
  const known = schemas.get(key);
  if (known) return known;
  const types = VAST_TYPES[version];
  const { children, order, attributes, isOpen = false } = Object.hasOwn(types, type) ? (types[type] ?? {}) : {};
  const schema: VastSchema = {
    children: words(children).map(childOf),
    order: order ?? "sequence",
    attributes: new Map(words(attributes).map((word) => [word.replace("!", ""), word.endsWith("!")])),
    isOpen,
  };
  schemas.set(key, schema);
  return schema;
}

const words = (text = "") => (text === "" ? [] : text.split(" "));

function childOf(word: string): VastChild {
  const [, name = "", type, occurs = ""] = /^(\w+)(?:=(\w+))?([?*+]?)$/.exec(word) ?? [];
  return {
    name,
    type: type ?? name,
    isRequired: occurs === "" || occurs === "+",
    isRepeatable: occurs === "*" || occurs === "+",
  };
}

/** The position of a child in its parent's schema; -1 if the parent has no such child. */
export const placeIn = (schema: VastSchema, name: string): number =>
  schema.children.findIndex((child) => child.name === name);
