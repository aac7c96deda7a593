import { type KeyObject, createHash, createHmac, createSecretKey } from "node:crypto";
import { LRUCache } from "lru-cache";

/** One secret and the keys derived from it, one for each purpose so that none stands for another. */
export interface SigningKey {
  /** Names the secret in what it has signed or sealed. */
  id: string;
  /** Each kind of beacon's own. */
  impression: KeyObject;
  click: KeyObject;
  loss: KeyObject;
  player: KeyObject;
  session: KeyObject;
  destination: KeyObject;
}

/** The first key signs, all of them verify: a new secret is put before the old one until what that signed has expired. */
export interface Keyring {
  current: SigningKey;
  byId: ReadonlyMap<string, SigningKey>;
  /** Made from the oldest secret, so that devices stay the same devices while secrets rotate. */
  device: KeyObject;
  /** Hashes of the last devices: one asks several times in a row. */
  knownDevices: LRUCache<string, string>;
}

const KNOWN_DEVICES = 20_000;
/** An id is 36 characters; one that is much longer is not worth the memory to remember it. */
const LONGEST_KNOWN = 128;

/** Makes the keys; without any secret it throws. */
export function keyringOf(secrets: readonly string[]): Keyring {
  const keys = secrets.map(signingKey);
  const [current] = keys;
  const oldest = secrets.at(-1);
  if (!current || oldest === undefined) throw new RangeError("There is no secret to sign beacons with");
  return {
    current,
    byId: new Map(keys.map((key) => [key.id, key])),
    device: derived(oldest, "device"),
    knownDevices: new LRUCache({ max: KNOWN_DEVICES }),
  };
}

function signingKey(secret: string): SigningKey {
  return {
    id: createHash("sha256").update(`key id ${secret}`).digest("base64url").slice(0, 6),
    impression: derived(secret, "impression beacon"),
    click: derived(secret, "click beacon"),
    loss: derived(secret, "loss beacon"),
    player: derived(secret, "player beacon"),
    session: derived(secret, "session"),
    destination: derived(secret, "destination"),
  };
}

const derived = (secret: string, purpose: string) =>
  createSecretKey(createHmac("sha256", secret).update(`millrace ${purpose}`).digest());

/** A device by its keyed hash: 64 bits as a decimal string, the same device the same number, nobody else's id in it. */
export function deviceHash({ device, knownDevices }: Keyring, deviceId: string): string {
  const id = deviceId.toLowerCase();
  let hash = knownDevices.get(id);
  if (hash === undefined) {
    hash = createHmac("sha256", device).update(id).digest().readBigUInt64BE().toString();
    if (id.length <= LONGEST_KNOWN) knownDevices.set(id, hash);
  }
  return hash;
}
