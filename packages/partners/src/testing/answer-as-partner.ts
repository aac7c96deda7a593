import { type BidRequest, type Imp, isObject, MEDIA_TYPES, type MediaType } from "@millrace/openrtb";
import { findAdapter, type PartnerId, partners } from "../catalogue.ts";
import { type Fixtures, fixturesOf } from "./partner-fixtures.ts";

/** The partners with a protocol of their own, by id. */
export const NAMED_PARTNERS: readonly PartnerId[] = (Object.keys(partners) as PartnerId[]).filter(
  (id) => id !== "openrtb",
);

/** Valid keys at a partner, and the platform's own ids there. */
export function keysAt(id: PartnerId): Pick<Fixtures, "keys" | "host"> {
  const { keys, host } = fixtures(id);
  return { keys, ...(host && { host }) };
}

/**
 * A partner's address at another server: `http://127.0.0.1:1` for the origin gives `http://127.0.0.1:1/xandr/ib.adnxs.com/openrtb2`. Parts of
 * the host that keys fill in become parts of the path.
 */
export const endpointAt = (id: PartnerId, origin: string): string =>
  partners[id].endpoint.replace(/^https?:\/\//, `${origin}/${id}/`);

/** What a bid of a lab's answer says, besides what makes it the partner's own. */
export interface LabBid {
  price: number;
  adm: Record<MediaType, string>;
}

export interface LabAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * A partner's answer in its own wire format: that of its fixtures, with a bid for each imp of the call whose media type they
 * have an answer for. 204 without any.
 */
export function answerAsPartner(id: PartnerId, sent: BidRequest, offer: LabBid): LabAnswer {
  const made = sent.imp.flatMap((imp) => {
    const type = MEDIA_TYPES.find((each) => imp[each] !== undefined);
    const model = type && modelsOf(id).get(type);
    return type && model ? [{ model, bid: bidFor(imp, type, model, offer) }] : [];
  });
  const [first] = made;
  if (first === undefined) return { status: 204, headers: {}, body: "" };
  const { envelope, seat, headers } = first.model;
  const body = { ...envelope, id: sent.id, seatbid: [{ ...seat, bid: made.map(({ bid }) => bid) }] };
  return { status: 200, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** An answer of the fixtures, taken apart. */
interface Model {
  envelope: Record<string, unknown>;
  seat: Record<string, unknown>;
  bid: Record<string, unknown>;
  headers: Record<string, string>;
}

function bidFor(imp: Imp, type: MediaType, { bid }: Model, { price, adm }: LabBid): object {
  const size = type === "banner" ? (imp.banner?.format?.[0] ?? imp.banner) : imp.video;
  return {
    ...bid,
    id: `bid-${imp.id}`,
    impid: imp.id,
    price,
    adm: adm[type],
    crid: "creative-1",
    adomain: ["shop.example"],
    ...(type === "banner" && size?.w && size.h ? { w: size.w, h: size.h } : {}),
  };
}

const models = new Map<PartnerId, Map<MediaType, Model>>();

/** The first answer of the fixtures with a bid of each media type that is worth dollars. */
function modelsOf(id: PartnerId): Map<MediaType, Model> {
  const known = models.get(id);
  if (known) return known;
  const found = new Map<MediaType, Model>();
  models.set(id, found);
  for (const { answers = [] } of fixtures(id).cases) {
    for (const { body, headers = {}, bids = [], currency = "USD" } of answers) {
      if (currency !== "USD" || !isObject(body)) continue;
      const { seatbid, ...envelope } = body;
      for (const read of bids) {
        if (!isObject(read) || !isObject(read["bid"])) continue;
        const type = MEDIA_TYPES.find((each) => each === read["mediaType"]);
        const source = sourceOf(seatbid, read["bid"]);
        if (type && source && !found.has(type)) found.set(type, { envelope, headers, ...source });
      }
    }
  }
  return found;
}

/** The bid of a response that was read as this one. The adapter may have changed its imp's id and removed its `ext`. */
function sourceOf(seatbid: unknown, read: Record<string, unknown>): Pick<Model, "seat" | "bid"> | undefined {
  for (const seated of Array.isArray(seatbid) ? seatbid : []) {
    if (!isObject(seated) || !Array.isArray(seated["bid"])) continue;
    const { bid: bids, ...seat } = seated as { bid: unknown[] };
    const bid = bids.find(
      (each) =>
        isObject(each) &&
        each["id"] === read["id"] &&
        each["mtype"] === read["mtype"] &&
        (read["ext"] === undefined || JSON.stringify(each["ext"]) === JSON.stringify(read["ext"])) &&
        String(each["impid"]).startsWith(String(read["impid"])),
    );
    if (isObject(bid)) return { seat, bid };
  }
  return undefined;
}

function fixtures(id: PartnerId): Fixtures {
  const found = fixturesOf(id);
  if (!found || !findAdapter(id)) throw new Error(`there are no fixtures of ${id}`);
  return found;
}
