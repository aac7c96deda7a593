import type { Ext } from "./media.ts";

/** The location of a device or user (section 3.2.19): degrees, metres, seconds; `country` is ISO-3166-1 alpha-3. */
export interface Geo {
  lat?: number;
  lon?: number;
  type?: number;
  accuracy?: number;
  lastfix?: number;
  ipservice?: number;
  country?: string;
  region?: string;
  regionfips104?: string;
  metro?: string;
  city?: string;
  zip?: string;
  utcoffset?: number;
  ext?: Ext;
}

/** A browser or platform of a structured user agent (section 3.2.30). */
export interface BrandVersion {
  brand: string;
  version?: string[];
  ext?: Ext;
}

/** Structured user agent (section 3.2.29). */
export interface UserAgent {
  browsers?: BrandVersion[];
  platform?: BrandVersion;
  mobile?: number;
  architecture?: string;
  bitness?: string;
  model?: string;
  source?: number;
  ext?: Ext;
}

/** The device (section 3.2.18). */
export interface Device {
  geo?: Geo;
  dnt?: number;
  lmt?: number;
  ua?: string;
  sua?: UserAgent;
  ip?: string;
  ipv6?: string;
  devicetype?: number;
  make?: string;
  model?: string;
  os?: string;
  osv?: string;
  hwv?: string;
  h?: number;
  w?: number;
  ppi?: number;
  pxratio?: number;
  js?: number;
  geofetch?: number;
  flashver?: string;
  language?: string;
  langb?: string;
  carrier?: string;
  mccmnc?: string;
  connectiontype?: number;
  ifa?: string;
  didsha1?: string;
  didmd5?: string;
  dpidsha1?: string;
  dpidmd5?: string;
  macsha1?: string;
  macmd5?: string;
  ext?: Ext;
}

/** One piece of information about a user or content (section 3.2.22). */
export interface Segment {
  id?: string;
  name?: string;
  value?: string;
  ext?: Ext;
}

/** Segments from one data provider (section 3.2.21). */
export interface Data {
  id?: string;
  name?: string;
  cids?: string[];
  segment?: Segment[];
  ext?: Ext;
}

/** One identifier of an extended id (section 3.2.28). */
export interface Uid {
  id?: string;
  atype?: number;
  ext?: Ext;
}

/** Extended identifiers of one source (section 3.2.27). */
export interface Eid {
  inserter?: string;
  source?: string;
  matcher?: string;
  mm?: number;
  uids?: Uid[];
  ext?: Ext;
}

/** The user (section 3.2.20). */
export interface User {
  id?: string;
  buyeruid?: string;
  /** Deprecated since 2.6. */
  yob?: number;
  /** Deprecated since 2.6. */
  gender?: string;
  keywords?: string;
  kwarray?: string[];
  customdata?: string;
  geo?: Geo;
  data?: Data[];
  consent?: string;
  eids?: Eid[];
  ext?: Ext;
}
