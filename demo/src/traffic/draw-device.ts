import type { Consent, Device } from "@millrace/contract";
import { addDays, dayOf } from "@millrace/units";
import type { DemoApp } from "../demo-app.ts";
import { findCountry } from "../countries.ts";
import { activesByAge, ageQuantiles, growth, SDK_RELEASES, UNTRACKED_SHARE, UPDATE_DAYS } from "../population.ts";
import { seededRandom } from "../random.ts";
import type { Random } from "../random.ts";
import type { Addresses } from "./find-addresses.ts";
import { MODELS } from "./models.data.ts";

/** A device with an app on it. The same devices return on other days. */
export interface DemoDevice {
  installId: string;
  /** The UTC day on which the app was first started. */
  firstDay: string;
  sdkVersion: string;
  /** The address that its requests claim. */
  address: string;
  userAgent: string;
  facts: Device;
  consent: Consent;
}

const AGE_STEPS = 100;
const CELLULAR_4G = 6;
const WIFI = 2;

/** Draws a device that opens an app in a country on a day. Day 0 is the day of `sinceMs`, when history ended. */
export function deviceDrawer(seed: string, addresses: Addresses, sinceMs: number) {
  const agesOf = new Map<string, { ages: number[]; devices: number[] }>();

  return (app: DemoApp, country: { country: string; share: number }, day: number, random: Random): DemoDevice => {
    let known = agesOf.get(app.slug);
    if (known === undefined) {
      const devices = activesByAge(app, 0);
      agesOf.set(app.slug, (known = { devices, ages: ageQuantiles(devices, AGE_STEPS) }));
    }
    const age = known.ages[random.integer(0, AGE_STEPS - 1)] ?? 0;
    const deviceCount = Math.max(1, Math.round((known.devices[age] ?? 0) * growth(day) * country.share));
    // Devices of one age are numbered. Those with low numbers stay longest.
    const deviceRandom = seededRandom(
      seed,
      "device",
      app.slug,
      country.country,
      day - age,
      random.integer(0, deviceCount - 1),
    );
    const firstDay = addDays(dayOf(sinceMs), day - age);
    return { firstDay, ...makeDevice(app, country.country, day, deviceRandom, addresses.get(country.country) ?? []) };
  };
}

/** A device's facts are drawn from its own random stream, so they are always the same. */
function makeDevice(
  app: DemoApp,
  country: string,
  day: number,
  random: Random,
  addresses: readonly string[],
): Omit<DemoDevice, "firstDay"> {
  const installId = random.uuid();
  const model = random.pick(MODELS[app.platform]);
  const osv = random.pick(model.versions);
  const tracked = !random.chance(UNTRACKED_SHARE[app.platform]);
  const address = addresses.length === 0 ? "127.0.0.1" : random.pick(addresses);
  const userAgent = model.userAgent(osv);
  const atHome = model.w > model.h || random.chance(0.7);
  const ifa = random.uuid();
  return {
    installId,
    sdkVersion: sdkVersion(day, random),
    address,
    userAgent,
    facts: {
      os: model.os,
      osv,
      make: model.make,
      model: model.model,
      ua: userAgent,
      language: findCountry(country)?.language ?? "en",
      w: model.w,
      h: model.h,
      pxratio: model.pxratio,
      connectiontype: atHome ? WIFI : CELLULAR_4G,
      lmt: tracked ? 0 : 1,
      ...(tracked ? { ifa } : {}),
    },
    // Drawn last, so that it does not affect the other facts.
    consent: europeanConsent(country, random),
  };
}

/** A device updates to a release some time after it is published. */
function sdkVersion(day: number, random: Random): string {
  let version: string = SDK_RELEASES[0].version;
  for (const release of SDK_RELEASES) {
    const lag = -UPDATE_DAYS * Math.log(1 - random.next());
    if (release.day + lag <= day) version = release.version;
  }
  return version;
}

// TCF strings from the IAB's encoder for the lab's vendors (4001 to 4014).
const EVERYTHING = "CQuFeUAQuFeUAAKABBENABFoAP_gAEPgAAYgfXQAYfQh9cH10AGH0IfXAAAA.IfXQAYfQh9cA.YAAAAAAAAAAA";
/** Purposes 1, 2 and 7: ads without profiles or precise locations. */
const BASIC_ADS = "CQuFeUAQuFeUAAKABBENABFgAMIAAEPgAAYgfXQAYfQh9cH10AGH0IfXAAAA.IfXQAYfQh9cA.YAAAAAAAAAAA";
/** All consent refused, which leaves only legitimate interest. */
const REFUSED = "CQuFeUAQuFeUAAKABBENABFgAAAAAEPgAAYgAAA-ugAw-hD64AAA.IfXQAYfQh9cA.YAAAAAAAAAAA";

const UNDER_GDPR: readonly string[] = ["GB", "DE", "FR", "NL", "SE", "ES", "IT", "PL"];

/** The choice in an app's consent dialog: most users accept, some allow basic ads, a few refuse. Only shown under the GDPR. */
function europeanConsent(country: string, random: Random): Consent {
  if (!UNDER_GDPR.includes(country)) return {};
  const tcf = random.chance(0.85) ? EVERYTHING : random.chance(0.7) ? BASIC_ADS : REFUSED;
  return { gdpr: 1, tcf };
}
