import { escapeHtml } from "../render-native.ts";
import type { VastVersion } from "./vast-schema.data.ts";
import { placeIn, type VastSchema, vastSchema } from "./vast-schema.ts";

/** An element to write. Its content is text, or child elements in any order. */
export interface VastNode {
  name: string;
  attributes?: Readonly<Record<string, string | number | undefined>>;
  content: string | readonly VastNode[];
}

export const vastNode = (
  name: string,
  content: VastNode["content"],
  attributes: VastNode["attributes"] = {},
): VastNode => ({ name, attributes, content });

/** Writes a document with at most one ad, its elements in the version's order. Throws RangeError for unknown elements. */
export function writeVast(version: VastVersion, ad: VastNode | null): string {
  // Versions before 4.0 have no namespace.
  const attributes = { version, ...(version >= "4" && { xmlns: "http://www.iab.com/VAST" }) };
  const content = ad ? writeNodes(version, vastSchema(version, "VAST"), [ad]) : "";
  return `<?xml version="1.0" encoding="UTF-8"?>\n${tagged("VAST", attributes, content)}\n`;
}

/** Writes child elements in the order of their parent's schema. */
export function writeNodes(version: VastVersion, parent: VastSchema, nodes: readonly VastNode[]): string {
  return [...nodes]
    .sort((a, b) => placeIn(parent, a.name) - placeIn(parent, b.name))
    .map((node) => writeNode(version, parent, node))
    .join("");
}

function writeNode(version: VastVersion, parent: VastSchema, { name, attributes = {}, content }: VastNode): string {
  const child = parent.children[placeIn(parent, name)];
  if (!child) throw new RangeError(`VAST ${version} has no ${name} here`);
  const schema = vastSchema(version, child.type);
  for (const attribute of Object.keys(attributes)) {
    if (!schema.attributes.has(attribute)) throw new RangeError(`VAST ${version} has no ${attribute} on ${name}`);
  }
  return tagged(name, attributes, typeof content === "string" ? textOf(content) : writeNodes(version, schema, content));
}

function tagged(name: string, attributes: NonNullable<VastNode["attributes"]>, content: string): string {
  const written = Object.entries(attributes)
    .flatMap(([key, value]) => (value === undefined ? [] : [` ${key}="${escapeHtml(String(value))}"`]))
    .join("");
  return content === "" ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}

/** Writes text with special characters as CDATA, and splits any `]]>` inside, which would end it early. */
function textOf(text: string): string {
  const clean = text.replaceAll(NOT_XML, "");
  return /[<>&]/.test(clean) ? `<![CDATA[${clean.replaceAll("]]>", "]]]]><![CDATA[>")}]]>` : clean;
}

/** Characters that XML forbids, even escaped (XML 1.0, section 2.2). */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;
