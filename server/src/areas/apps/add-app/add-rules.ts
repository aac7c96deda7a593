import {
  type AppSettings,
  type Body,
  type Platform,
  PLATFORMS_WITHOUT_BUNDLE,
  TEXTS,
  type addApp,
} from "@millrace/contract";
import { Problem } from "../../../platform/http/problem.ts";
import { flagFaults } from "../settings/flag-faults.ts";
import { type StoreAddress, STORES } from "./store-address.ts";

type AppFlags = AppSettings["flags"];
export type AddAppBody = Body<typeof addApp> & { key?: string | undefined };

/** An app before it is stored. */
export interface Draft {
  name: string;
  platform: Platform;
  /** Empty if the platform needs none and none was given. */
  bundleId: string;
  flags: AppFlags;
}

const BUNDLE_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;

/** Requires exactly one of the alternatives. Problem `invalid` for several or none. */
export function wayOf({
  demo,
  manual,
  dev,
  qid,
  item,
  url,
}: AddAppBody): "demo" | "manual" | "dev" | "item" | "poll" | "look" {
  const isManual = manual === 1;
  const named = [demo !== undefined, isManual || dev === 1, qid !== undefined];
  if (named.filter(Boolean).length > 1) throw new Problem("invalid", { type: "Choose one way to add an app" });
  if (demo !== undefined) return "demo";
  if (isManual) return "manual";
  if (dev === 1) return "dev";
  if (qid !== undefined) return item === undefined ? "poll" : "item";
  if (url === undefined || url === "") throw new Problem("invalid", { url: TEXTS.appUrlRequired });
  return "look";
}

/** Parses the form of an app in development. Problem `invalid` names each wrong field. */
export function draftInDevelopment(body: AddAppBody): Draft {
  const { platform = "ios", bundle_id: bundleId = "" } = body;
  const name = body.name ?? "";
  const faults = { ...faultsOfFlags(platform, body), ...bundleFault(platform, bundleId) };
  // Without a bundle id, its field is called Name.
  if (name === "" && bundleId === "") faults["name"] = TEXTS.appNameRequired;
  if (faults["bundle_id"] !== undefined) delete faults["name"];
  refuse(faults);
  return { name: name === "" ? bundleId : name, platform, bundleId, flags: flagsOf(body) };
}

/** A published app that its owner describes, since its store could not. Problem `invalid` names each wrong field. */
export function draftByHand(body: AddAppBody, address: StoreAddress): Draft {
  const { name: storeName, platforms } = STORES[address.store];
  const { platform = platforms[0], name = "" } = body;
  // Bidders know these apps by Google's and Roku's ids; Apple's id is a number next to the bundle id.
  const bundleId = address.store === "appStore" ? (body.bundle_id ?? "") : address.id;
  const faults = { ...faultsOfFlags(platform, body), ...bundleFault(platform, bundleId) };
  if (name === "") faults["name"] = TEXTS.appNameRequired;
  const isSold = (platforms as readonly Platform[]).includes(platform);
  if (!isSold) faults["platform"] = `There are no apps for this platform in ${storeName}`;
  refuse(faults);
  return { name, platform, bundleId, flags: flagsOf(body) };
}

/** Parses the flags of an app found in its store. Problem `invalid` names each wrong field. */
export function flagsFor(platform: Platform, body: AddAppBody): AppFlags {
  refuse(faultsOfFlags(platform, body));
  return flagsOf(body);
}

/** The error of a bundle id, by field; empty if it is valid. */
export function bundleFault(platform: Platform, bundleId: string): Record<string, string> {
  if (bundleId !== "") {
    return BUNDLE_ID.test(bundleId) ? {} : { bundle_id: "Use letters, digits, dots, hyphens and underscores" };
  }
  return PLATFORMS_WITHOUT_BUNDLE.includes(platform) ? {} : { bundle_id: TEXTS.bundleIdRequired };
}

/** The errors of the flags, by the form's field names. */
function faultsOfFlags(platform: Platform, body: AddAppBody): Record<string, string> {
  const { muted, ...faults } = flagFaults(platform, flagsOf(body));
  return { ...faults, ...(muted !== undefined && { mute: muted }) };
}

const flagsOf = ({ kids, adult, is_gaming: isGaming, only_image, mute }: AddAppBody): AppFlags => ({
  kids,
  adult,
  is_gaming: isGaming === 1,
  only_image,
  muted: mute,
});

function refuse(faults: Record<string, string>): void {
  if (Object.keys(faults).length > 0) throw new Problem("invalid", faults);
}
