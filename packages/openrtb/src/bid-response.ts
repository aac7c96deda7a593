import type { Ext } from "./media.ts";

/** OpenRTB 2.6 bid response (section 4.2.1). */
export interface BidResponse {
  id: string;
  seatbid?: SeatBid[];
  bidid?: string;
  cur?: string;
  customdata?: string;
  nbr?: number;
  ext?: Ext;
}

/** Bids of one buyer seat (section 4.2.2). */
export interface SeatBid {
  bid: Bid[];
  seat?: string;
  group?: number;
  ext?: Ext;
}

/** An offer for one imp (section 4.2.3). `price` is CPM in the response's currency; `dur` and `exp` in seconds. */
export interface Bid {
  id: string;
  impid: string;
  price: number;
  nurl?: string;
  burl?: string;
  lurl?: string;
  adm?: string;
  adid?: string;
  adomain?: string[];
  bundle?: string;
  iurl?: string;
  cid?: string;
  crid?: string;
  tactic?: string;
  cattax?: number;
  cat?: string[];
  attr?: number[];
  apis?: number[];
  /** Deprecated in favour of `apis`. */
  api?: number;
  protocol?: number;
  qagmediarating?: number;
  language?: string;
  langb?: string;
  dealid?: string;
  w?: number;
  h?: number;
  wratio?: number;
  hratio?: number;
  exp?: number;
  dur?: number;
  mtype?: number;
  slotinpod?: number;
  ext?: Ext;
}
