import { HOUR_MS } from "@millrace/units";
import { hash64 } from "./hash-set.ts";
import type { Claim } from "./seen-events.ts";

/** Where an event is in Redis. */
export interface EventPlace {
  /** The hash of the hour in which the token was made. */
  key: string;
  /** The hash of restored events. They are of an earlier epoch, and their hour is not known. */
  restored: string;
  field: string;
  /** Hour and hash. */
  name: string;
}

export const placeOf = ({ id, issuedAtMs }: Claim): EventPlace =>
  placeNamed(`${Math.floor(issuedAtMs / HOUR_MS)} ${hashOf(id)}`);

/** Hashes of at most some hundred fields: 65,536 an hour. */
export function placeNamed(name: string): EventPlace {
  const hash = hashIn(name);
  const [shard, field] = [hash.slice(0, 4), Buffer.from(hash.slice(4), "hex").toString("base64url")];
  return { key: `seen:${name.split(" ")[0]}:${shard}`, restored: `seen:all:${shard}`, field, name };
}

export const hashOf = (id: string): string =>
  hash64(id)
    .map((half) => half.toString(16).padStart(8, "0"))
    .join("");

export const hashIn = (name: string): string => name.slice(name.indexOf(" ") + 1);
