import {
  createECDH,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
} from "node:crypto";

const CURVE = "prime256v1";

/** A key that signs callbacks. */
export interface RewardKey {
  /** A positive number below 2^31, as AdMob's verifiers expect. */
  keyId: number;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/**
 * The keys of the platform's secrets, newest first: the first one signs, all are published. Every process derives the same
 * ones, and a new secret brings a new key while callbacks that the old one has signed can still be verified.
 */
export function rewardKeysOf(secrets: readonly string[]): [RewardKey, ...RewardKey[]] {
  const [first, ...others] = secrets.map(keyOf);
  if (!first) throw new RangeError("There is no secret to sign callbacks with");
  return [first, ...others];
}

/** The signature of a text: ECDSA on P-256 with SHA-256, as ASN.1 DER in base64url. */
export const signatureOf = ({ privateKey }: RewardKey, text: string): string =>
  sign("sha256", Buffer.from(text), privateKey).toString("base64url");

/** A key in AdMob's form of a key server's answer. */
export const publishedKey = ({ keyId, publicKey }: RewardKey) => ({
  keyId,
  pem: publicKey.export({ type: "spki", format: "pem" }).toString(),
  base64: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
});

function keyOf(secret: string): RewardKey {
  const curve = createECDH(CURVE);
  // Of 2^256 numbers, fewer than one in 2^32 is no private key of the curve.
  for (let nth = 0; ; nth++) {
    const scalar = createHmac("sha256", secret).update(`millrace reward callbacks ${nth}`).digest();
    try {
      curve.setPrivateKey(scalar);
    } catch {
      continue;
    }
    const point = curve.getPublicKey();
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((side) => side.toString("base64url"));
    const jwk = { kty: "EC", crv: "P-256", x, y, d: scalar.toString("base64url") };
    const privateKey = createPrivateKey({ key: jwk, format: "jwk" });
    return {
      keyId: createHash("sha256").update(point).digest().readUInt32BE() >>> 1,
      privateKey,
      publicKey: createPublicKey(privateKey),
    };
  }
}
