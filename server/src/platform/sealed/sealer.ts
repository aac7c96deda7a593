import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts values that must be readable again but never stored in the clear: partners' keys, authenticator secrets. */
export interface Sealer {
  /** Seals with the newest secret; the result differs each time. `purpose` separates keys and is not secret. */
  seal(plain: string, purpose: string): Buffer;
  /** Throws SealError if the bytes were changed or sealed for another purpose, or their secret is gone. */
  open(sealed: Buffer, purpose: string): string;
  /** The first bytes of each value that the newest secret has sealed, and of no other. They reveal nothing of it. */
  readonly newestHead: Buffer;
}

/** Sealed bytes that cannot be opened; the message never contains them. */
export class SealError extends Error {
  constructor(reason: string) {
    super(`The sealed value cannot be opened: ${reason}`);
    this.name = "SealError";
  }
}

const VERSION = 1;
const ID_BYTES = 4;
/** NIST SP 800-38D: a random nonce of 96 bits allows 2^32 texts per key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + ID_BYTES;
const CIPHER = "aes-256-gcm";

/**
 * A sealer over the platform's secrets, newest first: the first seals, all open. AES-256-GCM with a key derived for
 * each
 * purpose (HKDF, RFC 5869), once. Sealed bytes: version, id of the secret, nonce, ciphertext, tag; head and purpose are
 * authenticated too. Throws RangeError without any secret.
 */
export function sealer(secrets: readonly string[], derive: DeriveKey = hkdf): Sealer {
  const [newest] = secrets;
  if (newest === undefined) throw new RangeError("There is no secret to seal with");
  const byId = new Map(secrets.map((secret) => [keyId(secret).toString("hex"), secret]));
  // Few secrets and purposes; deriving a key costs more than opening a value.
  const derived = new Map<string, Map<string, Buffer>>();

  function keyFor(secret: string, purpose: string): Buffer {
    const keys = derived.get(secret) ?? new Map<string, Buffer>();
    derived.set(secret, keys);
    const key = keys.get(purpose) ?? derive(secret, purpose);
    keys.set(purpose, key);
    return key;
  }

  const newestHead = Buffer.concat([Buffer.of(VERSION), keyId(newest)]);
  return {
    newestHead,
    seal(plain, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, keyFor(newest, purpose), nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(authenticated(newestHead, purpose));
      return Buffer.concat([newestHead, nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, purpose) {
      if (sealed.length < HEAD_BYTES + NONCE_BYTES + TAG_BYTES) throw new SealError("it is too short");
      if (sealed[0] !== VERSION) throw new SealError("its version is unknown");
      const head = sealed.subarray(0, HEAD_BYTES);
      const secret = byId.get(head.subarray(1).toString("hex"));
      if (secret === undefined) throw new SealError("its secret is not configured on this platform");
      const nonce = sealed.subarray(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, keyFor(secret, purpose), nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(authenticated(head, purpose));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      try {
        const plain = decipher.update(sealed.subarray(HEAD_BYTES + NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([plain, decipher.final()]).toString("utf8");
      } catch {
        throw new SealError("it was changed, or sealed for another purpose");
      }
    },
  };
}

type DeriveKey = (secret: string, purpose: string) => Buffer;
const hkdf: DeriveKey = (secret, purpose) =>
  Buffer.from(hkdfSync("sha256", secret, "", `millrace sealed ${purpose}`, 32));

/** Identifies a secret without revealing it. */
const keyId = (secret: string) =>
  createHash("sha256").update(`millrace seal id ${secret}`).digest().subarray(0, ID_BYTES);

const authenticated = (head: Buffer, purpose: string) => Buffer.concat([head, Buffer.from(purpose, "utf8")]);
