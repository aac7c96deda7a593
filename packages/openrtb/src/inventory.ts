import type { Data } from "./audience.ts";
import type { Ext } from "./media.ts";

/** Publisher of a site, app or screen (section 3.2.15). */
export interface Publisher {
  id?: string;
  name?: string;
  cattax?: number;
  cat?: readonly string[];
  domain?: string;
  ext?: Ext;
}

/** Producer of the content (section 3.2.17). */
export type Producer = Publisher;

/** Network or channel of the content (sections 3.2.23 and 3.2.24). */
export interface Channel {
  id?: string;
  name?: string;
  domain?: string;
  ext?: Ext;
}

/** The content around the impression (section 3.2.16). `len` in seconds. */
export interface Content {
  id?: string;
  episode?: number;
  title?: string;
  series?: string;
  season?: string;
  artist?: string;
  genre?: string;
  gtax?: number;
  genres?: number[];
  album?: string;
  isrc?: string;
  producer?: Producer;
  url?: string;
  cattax?: number;
  cat?: readonly string[];
  prodq?: number;
  /** Deprecated in favour of `prodq`. */
  videoquality?: number;
  context?: number;
  contentrating?: string;
  userrating?: string;
  qagmediarating?: number;
  keywords?: string;
  kwarray?: string[];
  livestream?: number;
  sourcerelationship?: number;
  len?: number;
  language?: string;
  langb?: string;
  embeddable?: number;
  data?: Data[];
  network?: Channel;
  channel?: Channel;
  ext?: Ext;
}

/** Common fields of a site and an app. */
interface Inventory {
  id?: string;
  name?: string;
  domain?: string;
  cattax?: number;
  cat?: readonly string[];
  sectioncat?: string[];
  pagecat?: string[];
  privacypolicy?: number;
  publisher?: Publisher;
  content?: Content;
  keywords?: string;
  kwarray?: string[];
  inventorypartnerdomain?: string;
  ext?: Ext;
}

/** A web site (section 3.2.13). */
export interface Site extends Inventory {
  page?: string;
  ref?: string;
  search?: string;
  mobile?: number;
}

/** A non-browser application (section 3.2.14). `bundle` is the store's id. */
export interface App extends Inventory {
  bundle?: string;
  storeurl?: string;
  ver?: string;
  paid?: number;
}

/** A digital out-of-home screen (2.6, section 3.2.32). */
export interface Dooh {
  id?: string;
  name?: string;
  venuetype?: string[];
  venuetypetax?: number;
  publisher?: Publisher;
  domain?: string;
  keywords?: string;
  content?: Content;
  ext?: Ext;
}
