import { attributesOf, scanXml, type ScanFault, type XmlElement } from "./scan-xml.ts";
import { VAST_VERSIONS, type VastVersion } from "./vast-schema.data.ts";

/** A VAST document with an ad. */
export interface VastDocument {
  version: VastVersion;
  ad: XmlElement;
  /** Its InLine or Wrapper. */
  body: XmlElement;
  kind: "InLine" | "Wrapper";
}

/** Why a document cannot be shown and counted as VAST. */
export type VastFault = ScanFault | "not_vast" | "unknown_version" | "no_ad";

/** Finds the version and the first ad of a document. */
export function readVast(text: string): ({ ok: true } & VastDocument) | { ok: false; reason: VastFault } {
  const scanned = scanXml(text);
  if (!scanned.ok) return scanned;
  const { root } = scanned;
  if (root.name !== "VAST") return { ok: false, reason: "not_vast" };
  const version = versionOfVast(text, root);
  if (version === null) return { ok: false, reason: "unknown_version" };
  const ad = root.children.find(({ name }) => name === "Ad");
  const body = ad?.children.find(({ name }) => name === "InLine" || name === "Wrapper");
  if (!ad || !body || body.isEmptyTag) return { ok: false, reason: "no_ad" };
  return { ok: true, version, ad, body, kind: body.name === "Wrapper" ? "Wrapper" : "InLine" };
}

/** The version of a document; null for an unknown one. */
export const versionOfVast = (text: string, root: XmlElement): VastVersion | null =>
  versionNamed(attributesOf(text, root).get("version") ?? "");

/** The version that a document's attribute names, where `2.0.1` counts as 2.0; null for an unknown one. */
export function versionNamed(named: string): VastVersion | null {
  const [, major = "", minor = "0"] = /^(\d)(?:\.(\d))?(?:\.\d+)*$/.exec(named.trim()) ?? [];
  return VAST_VERSIONS.find((version) => version === `${major}.${minor}`) ?? null;
}
