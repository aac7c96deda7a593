import type { XmlEdit, XmlElement } from "./scan-xml.ts";
import type { VastVersion } from "./vast-schema.data.ts";
import { placeIn, type VastSchema, vastSchema } from "./vast-schema.ts";
import { type VastNode, writeNodes } from "./write-vast.ts";

/**
 * Edits that put elements into one of a document, each where the version's schema wants it: before the first child that
 * comes no earlier. Of an element that may be there once, what is missing is put into the one that is there; where that
 * holds a text, it stays as it is.
 */
export function insertNodes(
  version: VastVersion,
  type: string,
  parent: XmlElement,
  nodes: readonly VastNode[],
): XmlEdit[] {
  const schema = vastSchema(version, type);
  const edits: XmlEdit[] = [];
  const missing: VastNode[] = [];
  for (const node of nodes) {
    const child = schema.children[placeIn(schema, node.name)];
    const present = parent.children.find(({ name }) => name === node.name);
    if (!child) continue;
    if (!present || child.isRepeatable) missing.push(node);
    else if (typeof node.content !== "string") edits.push(...insertNodes(version, child.type, present, node.content));
  }
  if (missing.length === 0) return edits;
  if (!parent.isEmptyTag) return [...edits, ...placed(version, schema, parent, missing)];
  const insert = `>${writeNodes(version, schema, missing)}</${parent.name}>`;
  return [...edits, { at: parent.openEnd - "/>".length, remove: "/>".length, insert }];
}

/** One edit for each place, so that what stands together is written in order. */
function placed(version: VastVersion, schema: VastSchema, parent: XmlElement, nodes: readonly VastNode[]): XmlEdit[] {
  const byPlace = new Map<number, VastNode[]>();
  for (const node of nodes) {
    const place = placeIn(schema, node.name);
    const next = parent.children.find(({ name }) => placeIn(schema, name) >= place);
    const at = next?.openAt ?? parent.closeAt;
    byPlace.set(at, [...(byPlace.get(at) ?? []), node]);
  }
  return [...byPlace].map(([at, together]) => ({ at, remove: 0, insert: writeNodes(version, schema, together) }));
}
