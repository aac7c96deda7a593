import { SealError, type Sealer } from "../../platform/sealed/sealer.ts";

/** The sealing purpose of the platform's own credentials at partners. */
export const PARTNER_CREDENTIALS = "partner credentials";

/** Secret headers by name. */
export type Credentials = Readonly<Record<string, string>>;

/** Seals credentials; null for none. */
export const sealCredentials = (credentials: Credentials, sealer: Sealer): Buffer | null =>
  Object.keys(credentials).length === 0 ? null : sealer.seal(JSON.stringify(credentials), PARTNER_CREDENTIALS);

/** The unsealed credentials, empty without any; null if their secret is gone. */
export function openCredentials(sealed: Buffer | null | undefined, sealer: Sealer): Credentials | null {
  if (!sealed) return {};
  try {
    return JSON.parse(sealer.open(sealed, PARTNER_CREDENTIALS)) as Credentials;
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
