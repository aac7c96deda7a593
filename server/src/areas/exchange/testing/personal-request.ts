import type { BidRequest, Device, Regs, User } from "@millrace/openrtb";
import { ANDROID_UA } from "./start-exchange.ts";

/** All personal data of a request, and the texts that identify it anywhere. */
export const PERSONAL = {
  deviceIds: ["6d92078a-8246-4ba4-ae5b-76104861e7dc", "d1d1d1d1sha1", "idfv-9c1e"],
  userIds: ["user-of-ours-77", "buyer-of-theirs-77"],
  extendedIds: ["shared-id-77"],
  address: ["81.2.69.142"],
  location: ["52.516275", "DE-10117"],
  // The year with its name, also in JSON within JSON: its digits alone are found in instants.
  profile: ["chess and sailing", `yob":1987`, "segment-77", "custom-77", "interest-77", String.raw`yob\":1987`],
} as const;
export type PersonalPart = keyof typeof PERSONAL;
export const PERSONAL_PARTS = Object.keys(PERSONAL) as PersonalPart[];

const device: Device = {
  ua: ANDROID_UA,
  os: "Android",
  ip: PERSONAL.address[0],
  ifa: PERSONAL.deviceIds[0],
  dpidsha1: PERSONAL.deviceIds[1],
  geo: {
    country: "DEU",
    region: "BE",
    city: "Berlin",
    zip: PERSONAL.location[1],
    lat: 52.516275,
    lon: 13.377704,
    type: 1,
  },
  ext: { idfv: PERSONAL.deviceIds[2] },
};

const user: User = {
  id: PERSONAL.userIds[0],
  buyeruid: PERSONAL.userIds[1],
  eids: [{ source: "ids.example", uids: [{ id: PERSONAL.extendedIds[0], atype: 1 }] }],
  yob: 1987,
  gender: "F",
  keywords: PERSONAL.profile[0],
  data: [{ id: "data", segment: [{ id: PERSONAL.profile[2] }] }],
  customdata: PERSONAL.profile[3],
  ext: { interests: [PERSONAL.profile[4]] },
};

/** The privacy signals at their OpenRTB 2.6 places. */
export interface Signals {
  regs?: Regs;
  consent?: string;
  device?: Pick<Device, "lmt" | "dnt" | "ext">;
}

/** A banner request with all kinds of personal data, and these signals at the version's places. */
export function personalRequest({ regs, consent, device: flags }: Signals, version: "2.5" | "2.6"): BidRequest {
  const told = { ...user, ...(consent !== undefined && { consent }) };
  return {
    id: "request-1",
    imp: [{ id: "imp-1", tagid: "home", banner: { format: [{ w: 320, h: 50 }] } }],
    app: { bundle: "com.example.game" },
    device: { ...device, ...flags, ext: { ...device.ext, ...flags?.ext } },
    user: version === "2.6" ? told : intoExt(told, ["consent", "eids"]),
    ...(regs && { regs: version === "2.6" ? regs : intoExt(regs, ["gdpr", "us_privacy", "gpp", "gpp_sid"]) }),
  };
}

function intoExt<T extends { ext?: Record<string, unknown> }>(from: T, names: readonly string[]): T {
  const fields = Object.entries(from);
  const moved = fields.filter(([name]) => names.includes(name));
  const kept = fields.filter(([name]) => !names.includes(name));
  return { ...Object.fromEntries(kept), ext: { ...from.ext, ...Object.fromEntries(moved) } } as T;
}

/** The personal data found anywhere in a value. */
export function personalDataIn(value: unknown): PersonalPart[] {
  const text = JSON.stringify(value);
  return PERSONAL_PARTS.filter((part) => PERSONAL[part].some((known) => text.includes(known)));
}
