import { RestrictionType, type TCModel, TCString } from "@iabtechlabtcf/core";
import { LRUCache } from "lru-cache";
import { namesFewVendors } from "./names-few-vendors.ts";
import { loadVendorList, type Vendor, type VendorList } from "./vendor-list.ts";

/** The permissions of a vendor in a TCF string, as bits. */
export const TCF_MAY = {
  /** Purpose 2: select basic ads. A vendor without it is not called. */
  basicAds: 1,
  /** Purpose 1: store and read information on the device, ids included. */
  storage: 2,
  /** Purposes 3 and 4: create a profile and select ads by it. */
  personalisedAds: 4,
  /** Special feature 1: use a precise location. */
  preciseLocation: 8,
} as const;

/** Longer than any real string. */
const LONGEST = 10_000;
const TCF_VERSION = 2;
const POLICY_WITHOUT_PROFILING_INTEREST = 4;
/** Strings that are made from now on must have the segment "disclosed vendors" (TCF 2.3); older ones stay valid without it. */
const DISCLOSURE_SINCE = Date.UTC(2026, 2, 1);

/** Reads a vendor's permissions in a TCF string, as bits of `TCF_MAY`. */
export type TcfReader = (text: string, vendorId: number) => number;

/**
 * Creates a reader of TCF 2 strings for the vendors of a list. A malformed string allows nothing; the reader never
 * throws. A device keeps its string for months, so permissions are cached by string; the decoded string, with a
 * thousand vendors, is not.
 */
export function tcfReader(vendors: VendorList): TcfReader {
  const known = new LRUCache<string, Map<number, number>>({
    maxSize: 4_000_000,
    sizeCalculation: (_, text) => text.length + 400,
  });
  let last: { text: string; model: TCModel | null } | undefined;
  return (text, vendorId) => {
    let allowed = known.get(text);
    if (allowed === undefined) known.set(text, (allowed = new Map()));
    let may = allowed.get(vendorId);
    if (may === undefined) {
      // All partners of an auction are checked against one string, one after another.
      if (last?.text !== text) last = { text, model: decode(text) };
      may = last.model === null ? 0 : permissionsIn(last.model, vendorId, vendors.get(vendorId));
      allowed.set(vendorId, may);
    }
    return may;
  };
}

/** The vendors of a list's file, and the reader of TCF strings for them. */
export async function tcfFrom(path: Parameters<typeof loadVendorList>[0]) {
  const vendors = await loadVendorList(path);
  return { vendors, tcf: tcfReader(vendors) };
}

function decode(text: string): TCModel | null {
  if (text === "" || text.length > LONGEST || !namesFewVendors(text)) return null;
  try {
    const model = TCString.decode(text);
    return model.version === TCF_VERSION ? model : null;
  } catch {
    return null;
  }
}

/** The permissions of a vendor, as bits of `TCF_MAY`, by the decoded string and what the vendor has declared. */
export function permissionsIn(model: TCModel, vendorId: number, declared: Vendor | undefined): number {
  if (!wasDisclosed(model, vendorId)) return 0;
  const mayFor = (purpose: number) => isAllowed(model, vendorId, purpose, declared);
  let may = 0;
  if (mayFor(2)) may |= TCF_MAY.basicAds;
  if (mayFor(1)) may |= TCF_MAY.storage;
  if (mayFor(3) && mayFor(4)) may |= TCF_MAY.personalisedAds;
  const usesLocation = declared === undefined || declared.specialFeatures.includes(1);
  if (usesLocation && model.specialFeatureOptins.has(1)) may |= TCF_MAY.preciseLocation;
  return may;
}

/** Whether the user was shown the vendor: one that was never disclosed has no permission. */
function wasDisclosed({ vendorsDisclosed, created }: TCModel, vendorId: number): boolean {
  return vendorsDisclosed.size > 0 ? vendorsDisclosed.has(vendorId) : created.getTime() < DISCLOSURE_SINCE;
}

/**
 * Whether a vendor has a legal basis for a purpose: its declared one, or the publisher's if the vendor is flexible. A
 * vendor on no list needs consent.
 */
function isAllowed(model: TCModel, vendorId: number, purpose: number, declared: Vendor | undefined): boolean {
  const restriction = model.publisherRestrictions.getRestrictionType(vendorId, purpose);
  if (restriction === RestrictionType.NOT_ALLOWED) return false;
  const byConsent = declared === undefined || declared.purposes.includes(purpose);
  const byInterest = declared?.legIntPurposes.includes(purpose) === true;
  const isFlexible = declared?.flexiblePurposes.includes(purpose) === true;
  const required = (type: RestrictionType, declares: boolean) =>
    restriction === type
      ? declares || (isFlexible && (byConsent || byInterest))
      : restriction === undefined && declares;
  return (
    (required(RestrictionType.REQUIRE_CONSENT, byConsent) && hasConsent(model, vendorId, purpose)) ||
    (required(RestrictionType.REQUIRE_LI, byInterest) && hasInterest(model, vendorId, purpose))
  );
}

const hasConsent = (model: TCModel, vendorId: number, purpose: number): boolean =>
  model.purposeConsents.has(purpose) && model.vendorConsents.has(vendorId);

/** Legitimate interest never covers storage and, since TCF 2.2, neither creating nor using a profile. */
function hasInterest(model: TCModel, vendorId: number, purpose: number): boolean {
  if (purpose === 1) return false;
  if (purpose >= 3 && purpose <= 6 && Number(model.policyVersion) >= POLICY_WITHOUT_PROFILING_INTEREST) return false;
  return model.purposeLegitimateInterests.has(purpose) && model.vendorLegitimateInterests.has(vendorId);
}
