import type { PartnerSettings } from "@millrace/contract";
import { PLATFORM_LABELS, WORLD_REGIONS, TEXTS } from "@millrace/contract";
import type { Adapter } from "@millrace/partners";
import { readRecord } from "../app-ads/app-ads-file.ts";

/** What is wrong with settings that the contract accepts, by field. `saved` is the kind of a partner that is saved already. */
export function settingsFaults(
  settings: PartnerSettings,
  adapter: Adapter | undefined,
  saved: string | null,
): Record<string, string> {
  if (!adapter) return { kind: "There is no adapter of this name" };
  if (saved !== null && saved !== settings.kind) return { kind: "The adapter of a partner cannot be changed" };
  const faults: Record<string, string> = {};
  if (settings.endpoint === "" && adapter.endpoint === "") faults["endpoint"] = TEXTS.required;
  const foreign = settings.media_types.find((type) => !adapter.mediaTypes.includes(type));
  if (foreign) faults["media_types"] = `${adapter.name} does not buy ${foreign}`;
  const notBought = settings.platforms.find((platform) => !adapter.platforms.includes(platform));
  if (notBought) faults["platforms"] = `${adapter.name} does not buy ${PLATFORM_LABELS[notBought]}`;
  for (const region of WORLD_REGIONS) {
    if (settings.region_endpoints[region] === undefined || settings.regions.includes(region)) continue;
    faults[`region_endpoints.${region}`] = "It is not asked in this region";
  }
  const repeated = Object.keys(settings.credentials ?? {}).find((name) => Object.hasOwn(settings.headers, name));
  if (repeated) faults["credentials"] = `${repeated} is among the headers too`;
  const wrong = settings.app_ads_lines.find((line) => readRecord(line.replaceAll(/\{\w+\}/g, "x")) === null);
  if (wrong !== undefined) faults["app_ads_lines"] = `“${wrong}” is no line like: example.com, {publisherId}, RESELLER`;
  return faults;
}
