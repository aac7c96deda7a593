import { type AdminPartner, PartnerSettings, type WorldRegion, WORLD_REGIONS, TEXTS } from "@millrace/contract";
import { z } from "zod";

/** The form's values: lists and names with values are lines of text, numbers are typed. */
export const PartnerFields = z.object({
  name: z.string(),
  active: z.boolean(),
  endpoint: z.string(),
  media_types: z.array(z.string()),
  platforms: z.array(z.string()),
  regions: z.array(z.string()),
  endpoint_americas: z.string(),
  endpoint_emea: z.string(),
  endpoint_apac: z.string(),
  openrtb_version: z.string(),
  gzip: z.boolean(),
  gvl_id: z.string(),
  platform_ids: z.string(),
  headers: z.string(),
  credentials: z.string(),
  /** The stored credentials are removed. */
  forget: z.boolean(),
  currency: z.string(),
  bid_currency: z.string(),
  schain_asi: z.string(),
  schain_sid: z.string(),
  qps_limit: z.string(),
  app_ads_lines: z.string(),
});
export type PartnerFields = z.infer<typeof PartnerFields>;

/** The field of a region's own endpoint. */
export const endpointIn = (region: WorldRegion) => `endpoint_${region}` as const;

export const fieldsOf = ({ settings }: AdminPartner): PartnerFields => ({
  name: settings.name,
  active: settings.active,
  endpoint: settings.endpoint,
  media_types: settings.media_types,
  platforms: settings.platforms,
  regions: settings.regions,
  endpoint_americas: settings.region_endpoints.americas ?? "",
  endpoint_emea: settings.region_endpoints.emea ?? "",
  endpoint_apac: settings.region_endpoints.apac ?? "",
  openrtb_version: settings.openrtb_version,
  gzip: settings.gzip,
  gvl_id: settings.gvl_id === null ? "" : String(settings.gvl_id),
  platform_ids: linesOf(settings.platform_ids),
  headers: linesOf(settings.headers),
  credentials: "",
  forget: false,
  currency: settings.currency ?? "",
  bid_currency: settings.bid_currency ?? "",
  schain_asi: settings.schain_node?.asi ?? "",
  schain_sid: settings.schain_node?.sid ?? "",
  qps_limit: settings.qps_limit === null ? "" : String(settings.qps_limit),
  app_ads_lines: settings.app_ads_lines.join("\n"),
});

const linesOf = (entries: Record<string, string>): string =>
  Object.entries(entries)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

/** Lines such as `x-source: a` by their names; null if one has no name. */
function entriesOf(lines: string): Record<string, string> | null {
  const entries = listOf(lines).map((line) => /^([^:]+):(.*)$/.exec(line));
  if (entries.some((entry) => entry === null)) return null;
  return Object.fromEntries(entries.map((entry) => [entry?.[1]?.trim() ?? "", entry?.[2]?.trim() ?? ""]));
}

const listOf = (lines: string): string[] =>
  lines
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const numberOf = (text: string): number | null => (text.trim() === "" ? null : Number(text.replaceAll(/[\s,]/g, "")));
const codeOf = (text: string): string | null => (text.trim() === "" ? null : text.trim().toUpperCase());

/** The settings to save. What has no meaning is sent as it is, for the contract to refuse. */
export function settingsOf(
  { settings: { kind, schain_node: node } }: AdminPartner,
  fields: PartnerFields,
): z.input<typeof PartnerSettings> {
  const { schain_asi: asi, schain_sid: sid, forget, credentials, ...same } = fields;
  return {
    kind,
    name: same.name,
    active: same.active,
    endpoint: same.endpoint,
    media_types: same.media_types as PartnerSettings["media_types"],
    platforms: same.platforms as PartnerSettings["platforms"],
    regions: same.regions as WorldRegion[],
    region_endpoints: endpointsOf(same),
    openrtb_version: same.openrtb_version as PartnerSettings["openrtb_version"],
    gzip: same.gzip,
    gvl_id: numberOf(same.gvl_id),
    platform_ids: entriesOf(same.platform_ids) ?? {},
    headers: entriesOf(same.headers) ?? {},
    credentials: forget ? {} : credentials.trim() === "" ? null : (entriesOf(credentials) ?? {}),
    currency: codeOf(same.currency),
    bid_currency: codeOf(same.bid_currency),
    schain_node: asi.trim() === "" && sid.trim() === "" ? null : { ...node, asi, sid },
    qps_limit: numberOf(same.qps_limit),
    app_ads_lines: listOf(same.app_ads_lines),
  };
}

/** The endpoints of the chosen regions; the form shows no others. */
const endpointsOf = (fields: Pick<PartnerFields, "regions" | ReturnType<typeof endpointIn>>) =>
  Object.fromEntries(
    WORLD_REGIONS.map((region) => [region, fields[endpointIn(region)].trim()] as const).filter(
      ([region, endpoint]) => endpoint !== "" && fields.regions.includes(region),
    ),
  );

const LINES = ["platform_ids", "headers", "credentials"] as const;

/** The error of each field. */
export function partnerFaults(partner: AdminPartner, fields: PartnerFields): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const name of LINES) if (entriesOf(fields[name]) === null) faults[name] = "Use lines like name: value";
  for (const name of ["gvl_id", "qps_limit"] as const)
    if (Number.isNaN(numberOf(fields[name]))) faults[name] = "Use a number";
  if (partner.adapter.endpoint === "" && fields.endpoint.trim() === "") faults["endpoint"] = TEXTS.required;
  const issues = PartnerSettings.safeParse(settingsOf(partner, fields)).error?.issues ?? [];
  for (const { path, message } of issues) faults[fieldAt(path.map(String))] ??= message;
  return faults;
}

/** The field of the form that holds the value at a path of the settings. */
export function fieldAt([name = "", part]: readonly string[]): string {
  if (name === "schain_node") return part === "sid" ? "schain_sid" : "schain_asi";
  return name === "region_endpoints" ? `endpoint_${part}` : name;
}
