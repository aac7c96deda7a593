import { type KeyObject, createHash, createHmac, createSecretKey } from "node:crypto";
import type { LRUCache } from "lru-cache";
import { lruCache } from "../../../platform/lru-cache.ts";

/** A secret's derived keys, one for each purpose. */
export interface SigningKey {
  /** Identifies the secret in tokens. */
  id: string;
  /** One key for each kind of beacon. */
  impression: KeyObject;
  click: KeyObject;
  loss: KeyObject;
  player: KeyObject;
  reward: KeyObject;
  session: KeyObject;
  debug: KeyObject;
  destination: KeyObject;
}

/** The first key signs, and all of them verify. A new secret goes first; an old one stays until what it has signed is over. */
export interface Keyring {
  current: SigningKey;
  byId: ReadonlyMap<string, SigningKey>;
  /** Derived from the oldest secret, so that device hashes do not change while secrets rotate. */
  device: KeyObject;
  /** Signs the ids of cached documents. */
  document: KeyObject;
  /** Hashes of recent devices, because a device calls several times in a row. */
  knownDevices: LRUCache<string, string>;
}

const KNOWN_DEVICES = 20_000;
/** Ids have 36 characters; much longer ones are not cached. */
const LONGEST_KNOWN = 128;

/** Derives the keys. Throws RangeError without a secret. */
export function keyringOf(secrets: readonly string[]): Keyring {
  const keys = secrets.map(signingKey);
  const [current] = keys;
  const oldest = secrets.at(-1);
  if (!current || oldest === undefined) throw new RangeError("There is no secret to sign beacons with");
  return {
    current,
    byId: new Map(keys.map((key) => [key.id, key])),
    device: derived(oldest, "device"),
    document: derived(oldest, "cached document"),
    knownDevices: lruCache(KNOWN_DEVICES),
  };
}

function signingKey(secret: string): SigningKey {
  return {
    id: createHash("sha256").update(`key id ${secret}`).digest("base64url").slice(0, 6),
    impression: derived(secret, "impression beacon"),
    click: derived(secret, "click beacon"),
    loss: derived(secret, "loss beacon"),
    player: derived(secret, "player beacon"),
    reward: derived(secret, "reward beacon"),
    session: derived(secret, "session"),
    debug: derived(secret, "debug token"),
    destination: derived(secret, "destination"),
  };
}

const derived = (secret: string, purpose: string) =>
  createSecretKey(createHmac("sha256", secret).update(`millrace ${purpose}`).digest());

/** The keyed hash of a device id: 64 bits as a decimal string. */
export function deviceHash({ device, knownDevices }: Keyring, deviceId: string): string {
  const id = deviceId.toLowerCase();
  let hash = knownDevices.get(id);
  if (hash === undefined) {
    hash = createHmac("sha256", device).update(id).digest().readBigUInt64BE().toString();
    if (id.length <= LONGEST_KNOWN) knownDevices.set(id, hash);
  }
  return hash;
}
