import type { XmlEdit, XmlElement } from "./scan-xml.ts";
import type { VastVersion } from "./vast-schema.data.ts";
import { placeIn, type VastSchema, vastSchema } from "./vast-schema.ts";
import { type VastNode, writeNodes } from "./write-vast.ts";

/**
 * Returns edits that insert elements into a parent, in the order of the version's schema. If an element that may occur
 * only once is already present, its missing children are inserted into it; one that holds text stays unchanged,
 * and an empty one makes place for ours.
 */
export function insertNodes(
  text: string,
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
    else if (typeof node.content !== "string")
      edits.push(...insertNodes(text, version, child.type, present, node.content));
    else if (isEmpty(text, present)) edits.push(replaced(text, present, writeNodes(version, schema, [node])));
  }
  if (missing.length === 0) return edits;
  if (!parent.isEmptyTag) return [...edits, ...placed(version, schema, parent, missing)];
  const insert = `>${writeNodes(version, schema, missing)}</${parent.name}>`;
  return [...edits, { at: parent.openEnd - "/>".length, remove: "/>".length, insert }];
}

/** One edit for each position, so that elements at the same position are written in order. */
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

const isEmpty = (text: string, { openEnd, closeAt, isEmptyTag }: XmlElement): boolean =>
  isEmptyTag || text.slice(openEnd, closeAt).replaceAll("<![CDATA[", "").replaceAll("]]>", "").trim() === "";

function replaced(text: string, { openAt, closeAt, isEmptyTag }: XmlElement, insert: string): XmlEdit {
  const end = isEmptyTag ? closeAt : text.indexOf(">", closeAt) + 1;
  return { at: openAt, remove: end - openAt, insert };
}
