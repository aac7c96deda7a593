import {
  between,
  count,
  extension,
  extensionWith,
  flag,
  integer,
  listOf,
  object,
  string,
  strings,
  text,
} from "./check.ts";

export const geo = object({
  lat: between(-90, 90),
  lon: between(-180, 180),
  type: count,
  accuracy: count,
  lastfix: count,
  ipservice: count,
  country: string,
  region: string,
  regionfips104: string,
  metro: string,
  city: string,
  zip: string,
  utcoffset: integer,
  ext: extension,
});

const brandVersion = object({ brand: text, version: strings, ext: extension }, { required: ["brand"] });

const userAgent = object({
  browsers: listOf(brandVersion),
  platform: brandVersion,
  mobile: flag,
  architecture: string,
  bitness: string,
  model: string,
  source: count,
  ext: extension,
});

export const device = object({
  geo,
  dnt: flag,
  lmt: flag,
  ua: string,
  sua: userAgent,
  ip: string,
  ipv6: string,
  devicetype: count,
  make: string,
  model: string,
  os: string,
  osv: string,
  hwv: string,
  h: count,
  w: count,
  ppi: count,
  pxratio: between(0, Infinity),
  js: flag,
  geofetch: flag,
  flashver: string,
  language: string,
  langb: string,
  carrier: string,
  mccmnc: string,
  connectiontype: count,
  ifa: string,
  didsha1: string,
  didmd5: string,
  dpidsha1: string,
  dpidmd5: string,
  macsha1: string,
  macmd5: string,
  ext: extension,
});

const segment = object({ id: string, name: string, value: string, ext: extension });

export const data = object({ id: string, name: string, cids: strings, segment: listOf(segment), ext: extension });

const eid = object({
  inserter: string,
  source: string,
  matcher: string,
  mm: count,
  uids: listOf(object({ id: string, atype: count, ext: extension })),
  ext: extension,
});

export const eids = listOf(eid);

export const user = object({
  id: string,
  buyeruid: string,
  yob: integer,
  gender: string,
  keywords: string,
  kwarray: strings,
  customdata: string,
  geo,
  data: listOf(data),
  consent: string,
  eids,
  ext: extensionWith({ consent: string, eids }),
});
