import { attributesOf, scanXml, type XmlElement } from "./scan-xml.ts";
import { VAST_EVENTS, type VastVersion } from "./vast-schema.data.ts";
import { placeIn, type VastSchema, vastSchema } from "./vast-schema.ts";
import { versionOfVast } from "./read-vast.ts";

/** Checks a document against its version's schema. Returns one sentence for each problem; none if it is valid. */
export function checkVast(text: string): string[] {
  const scanned = scanXml(text);
  if (!scanned.ok) return [`is not readable XML: ${scanned.reason}`];
  const version = versionOfVast(text, scanned.root);
  if (scanned.root.name !== "VAST" || version === null) return ["is not VAST of a known version"];
  const namespace = attributesOf(text, scanned.root).get("xmlns");
  const isNamed = version < "4" || namespace === "http://www.iab.com/VAST";
  return [...(isNamed ? [] : ["VAST lacks its namespace"]), ...problemsOf(text, version, "VAST", scanned.root)];
}

function problemsOf(text: string, version: VastVersion, type: string, element: XmlElement): string[] {
  const schema = vastSchema(version, type);
  if (schema.isOpen) return [];
  const { name, children } = element;
  const problems = [...attributeProblems(text, version, schema, element), ...childProblems(schema, element)];
  for (const child of children) {
    const known = schema.children[placeIn(schema, child.name)];
    if (known) problems.push(...problemsOf(text, version, known.type, child));
    else problems.push(`${name} has no ${child.name}`);
  }
  return problems;
}

function attributeProblems(text: string, version: VastVersion, schema: VastSchema, element: XmlElement): string[] {
  const { name } = element;
  const found = attributesOf(text, element);
  const problems: string[] = [];
  for (const key of found.keys()) {
    const isNamespace = key === "xmlns" || key.includes(":");
    if (!isNamespace && !schema.attributes.has(key)) problems.push(`${name} has no attribute ${key}`);
  }
  for (const [key, isRequired] of schema.attributes) {
    if (isRequired && !found.has(key)) problems.push(`${name} lacks its attribute ${key}`);
  }
  const event = found.get("event");
  const isListed = name !== "Tracking" || event === undefined || VAST_EVENTS[version].includes(event);
  const isVerification = element.parent?.parent?.name === "Verification";
  return isListed || isVerification ? problems : [...problems, `VAST ${version} has no event ${event ?? ""}`];
}

function childProblems(schema: VastSchema, { name, children }: XmlElement): string[] {
  const problems: string[] = [];
  const names = children.map((child) => child.name);
  for (const { name: child, isRequired, isRepeatable } of schema.children) {
    const count = names.filter((each) => each === child).length;
    if (isRequired && count === 0) problems.push(`${name} lacks ${child}`);
    if (!isRepeatable && count > 1) problems.push(`${name} has ${child} more than once`);
  }
  if (schema.order === "one" && new Set(names).size > 1) problems.push(`${name} may only have one kind of element`);
  if (schema.order !== "sequence") return problems;
  const places = names.map((child) => placeIn(schema, child)).filter((place) => place >= 0);
  const late = places.findIndex((place, index) => place < (places[index - 1] ?? 0));
  const misplaced = late === -1 ? undefined : schema.children[places[late] ?? 0];
  if (misplaced) problems.push(`${misplaced.name} comes too late in ${name}`);
  return problems;
}
