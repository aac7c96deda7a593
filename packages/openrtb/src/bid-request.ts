import type { Device, User } from "./audience.ts";
import type { App, Dooh, Site } from "./inventory.ts";
import type { Audio, Banner, DurFloor, Ext, Native, Video } from "./media.ts";

/** OpenRTB 2.6 bid request (section 3.2.1). `tmax` in milliseconds. */
export interface BidRequest {
  id: string;
  imp: Imp[];
  site?: Site;
  app?: App;
  dooh?: Dooh;
  device?: Device;
  user?: User;
  test?: number;
  at?: number;
  tmax?: number;
  wseat?: string[];
  bseat?: string[];
  allimps?: number;
  cur?: string[];
  wlang?: string[];
  wlangb?: string[];
  acat?: string[];
  bcat?: readonly string[];
  cattax?: number;
  badv?: readonly string[];
  bapp?: string[];
  source?: Source;
  regs?: Regs;
  ext?: Ext;
}

/** One opportunity to show an ad (section 3.2.4). `bidfloor` is CPM in `bidfloorcur`, USD when absent; `exp` in seconds. */
export interface Imp {
  id: string;
  metric?: Metric[];
  banner?: Banner;
  video?: Video;
  audio?: Audio;
  native?: Native;
  pmp?: Pmp;
  displaymanager?: string;
  displaymanagerver?: string;
  instl?: number;
  tagid?: string;
  bidfloor?: number;
  bidfloorcur?: string;
  clickbrowser?: number;
  secure?: number;
  iframebuster?: string[];
  rwdd?: number;
  ssai?: number;
  exp?: number;
  qty?: Qty;
  dt?: number;
  refresh?: Refresh;
  ext?: Ext;
}

/** A measure of the impression's history (section 3.2.5). */
export interface Metric {
  type: string;
  value: number;
  vendor?: string;
  ext?: Ext;
}

/** Private marketplace of an imp (section 3.2.11). */
export interface Pmp {
  private_auction?: number;
  deals?: Deal[];
  ext?: Ext;
}

/** A deal between seller and buyer (section 3.2.12). */
export interface Deal {
  id: string;
  bidfloor?: number;
  bidfloorcur?: string;
  at?: number;
  wseat?: string[];
  wadomain?: string[];
  guar?: number;
  mincpmpersec?: number;
  durfloors?: DurFloor[];
  ext?: Ext;
}

/** People counted per play of an out-of-home screen (section 3.2.31). */
export interface Qty {
  multiplier: number;
  sourcetype?: number;
  vendor?: string;
  ext?: Ext;
}

/** Auto-refresh of an imp (section 3.2.33). */
export interface Refresh {
  refsettings?: RefSetting[];
  count?: number;
  ext?: Ext;
}

/** What triggers a refresh (section 3.2.34). `minint` in seconds. */
export interface RefSetting {
  reftype?: number;
  minint?: number;
  ext?: Ext;
}

/** Where the request came from (section 3.2.2). */
export interface Source {
  fd?: number;
  tid?: string;
  pchain?: string;
  schain?: SupplyChain;
  ext?: Ext;
}

/** The sellers between publisher and buyer (section 3.2.25). */
export interface SupplyChain {
  complete: number;
  nodes: SupplyChainNode[];
  ver: string;
  ext?: Ext;
}

/** One seller of the chain (section 3.2.26). */
export interface SupplyChainNode {
  asi: string;
  sid: string;
  rid?: string;
  name?: string;
  domain?: string;
  hp?: number;
  ext?: Ext;
}

/** Regulations (section 3.2.3). */
export interface Regs {
  coppa?: number;
  gdpr?: number;
  us_privacy?: string;
  gpp?: string;
  gpp_sid?: number[];
  ext?: Ext;
}
