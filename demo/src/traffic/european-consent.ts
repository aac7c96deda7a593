import type { Consent } from "@millrace/contract";
import type { Random } from "../random.ts";

// Strings of the IAB's encoder for the lab's vendors (4001 to 4014). Nothing of a device is in them.
const EVERYTHING = "CQuFeUAQuFeUAAKABBENABFoAP_gAEPgAAYgfXQAYfQh9cH10AGH0IfXAAAA.IfXQAYfQh9cA.YAAAAAAAAAAA";
/** Purposes 1, 2 and 7: ads, but none by a profile or a precise place. */
const BASIC_ADS = "CQuFeUAQuFeUAAKABBENABFgAMIAAEPgAAYgfXQAYfQh9cH10AGH0IfXAAAA.IfXQAYfQh9cA.YAAAAAAAAAAA";
/** Everything refused: what is left to vendors is their legitimate interest, and to the others nothing. */
const REFUSED = "CQuFeUAQuFeUAAKABBENABFgAAAAAEPgAAYgAAA-ugAw-hD64AAA.IfXQAYfQh9cA.YAAAAAAAAAAA";

const UNDER_GDPR: readonly string[] = ["GB", "DE", "FR", "NL", "SE", "ES", "IT", "PL"];

/** What a person has said to the consent dialog of an app: most accept, some take less, a few refuse. Nobody asks elsewhere. */
export function europeanConsent(country: string, random: Random): Consent {
  if (!UNDER_GDPR.includes(country)) return {};
  const tcf = random.chance(0.85) ? EVERYTHING : random.chance(0.7) ? BASIC_ADS : REFUSED;
  return { gdpr: 1, tcf };
}
