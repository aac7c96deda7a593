import { type Consent, type Device as SdkDevice, type Platform, isOwnId } from "@millrace/contract";
import {
  AUCTION_TYPE,
  type BidRequest,
  type Device,
  DEVICE_TYPE,
  LOCATION_TYPE,
  type Regs,
  type User,
} from "@millrace/openrtb";
import type { AppConfig } from "../config/snapshot.ts";
import { ALPHA3 } from "../facts/country-codes.data.ts";
import { userAgentFacts } from "../facts/user-agent.ts";
import { type Client, hintedVersion, withOptOut } from "../http/client.ts";
import { buildImp, type Place } from "./build-imp.ts";

export interface DeviceRequest {
  auctionId: string;
  app: AppConfig;
  place: Place;
  device: SdkDevice;
  consent: Consent;
  /** Of partners' own SDKs, by the partner's id. */
  bidderTokens?: Readonly<Record<string, string>> | undefined;
  /** The sender, for values that the SDK does not give. */
  client: Client;
  country: string;
  tmaxMs: number;
}

const DEVICE_TYPES = {
  android: DEVICE_TYPE.phone,
  ios: DEVICE_TYPE.phone,
  amazon: DEVICE_TYPE.tablet,
  androidtv: DEVICE_TYPE.connectedTv,
  tvos: DEVICE_TYPE.setTopBox,
  firetv: DEVICE_TYPE.setTopBox,
  tizentv: DEVICE_TYPE.connectedTv,
  roku: DEVICE_TYPE.setTopBox,
  others: undefined,
} as const satisfies Record<Platform, number | undefined>;

/** Builds the OpenRTB 2.6 request for a device, with all ids; privacy rules remove them later. */
export function buildRequest(input: DeviceRequest): BidRequest {
  const { app, consent } = input;
  return {
    id: input.auctionId,
    at: AUCTION_TYPE.firstPrice,
    tmax: input.tmaxMs,
    cur: ["USD"],
    imp: [buildImp(input.place, app.platform)],
    app: {
      id: app.uuid,
      name: app.name,
      bundle: app.bundle,
      ...(app.url !== null && { storeurl: app.url }),
      // Buyers look for this very value in the developer's file (app-ads.txt 1.1, section 3.4, field 2).
      publisher: { id: app.sellerId },
    },
    device: deviceOf(input),
    ...userOf(input),
    regs: withOptOut(regsOf(consent), input.client),
    source: { fd: 1, tid: input.auctionId },
  };
}

function userOf({ consent, bidderTokens }: DeviceRequest): Pick<BidRequest, "user"> {
  const user: User = {};
  if (consent.tcf !== undefined) user.consent = consent.tcf;
  // Where Prebid clients put them: each partner gets its own alone.
  if (bidderTokens !== undefined) user.ext = { prebid: { buyeruids: bidderTokens } };
  return Object.keys(user).length === 0 ? {} : { user };
}

function deviceOf({ device, client, country, app }: DeviceRequest): Device {
  const ua = device.ua ?? client.userAgent;
  // The user agent is only parsed if the SDK gives no OS version.
  const known = device.os === "" || device.osv === undefined ? userAgentFacts(ua) : {};
  const alpha3 = ALPHA3.get(country);
  // Systems that limit tracking give apps an id of zeros. A missing id means nothing, since browsers have none.
  const isLimited = device.lmt === 1 || (device.ifa !== undefined && !isOwnId(device.ifa));
  const result: Device = {
    ua,
    os: device.os === "" ? known.os : device.os,
    osv: device.osv ?? known.osv ?? hintedVersion(client, ua),
    make: device.make ?? known.make,
    model: device.model ?? known.model,
    devicetype: DEVICE_TYPES[app.platform] ?? known.devicetype,
    ...languageOf(device.language),
    w: device.w,
    h: device.h,
    pxratio: device.pxratio,
    connectiontype: device.connectiontype,
    js: app.platform === "roku" ? 0 : 1,
    lmt: isLimited ? 1 : (device.lmt ?? (device.ifa === undefined ? undefined : 0)),
  };
  if (client.ip.includes(":")) result.ipv6 = client.ip;
  else if (client.ip !== "") result.ip = client.ip;
  if (alpha3 !== undefined) result.geo = { country: alpha3, type: LOCATION_TYPE.ipAddress };
  if (!isLimited && device.ifa !== undefined) result.ifa = device.ifa;
  // OpenRTB 2.6, device.ext: the privacy rules read it there and keep the ids back.
  if (device.att_status !== undefined) result.ext = { atts: device.att_status };
  return result;
}

/** A language of two letters as such, one of three, such as `fil-PH`, as a tag: OpenRTB 2.6, section 3.2.18, knows one of both. */
function languageOf(tag = ""): Pick<Device, "language" | "langb"> {
  const [, code = ""] = /^([a-z]{2,3})(?![a-z])/i.exec(tag) ?? [];
  if (code.length === 3) return { langb: tag.replaceAll("_", "-") };
  return code === "" ? {} : { language: code.toLowerCase() };
}

function regsOf(consent: Consent): Regs {
  const regs: Regs = { coppa: consent.coppa === 1 ? 1 : 0 };
  if (consent.gdpr !== undefined) regs.gdpr = consent.gdpr;
  if (consent.us_privacy !== undefined) regs.us_privacy = consent.us_privacy;
  if (consent.gpp !== undefined) regs.gpp = consent.gpp;
  if (consent.gpp_sid !== undefined) regs.gpp_sid = consent.gpp_sid;
  return regs;
}
