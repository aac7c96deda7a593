import { randomBytes } from "node:crypto";
import { recoveryHash } from "./take-code.ts";

const CODES = 10;
/** 80 random bits a code: its plain SHA-256 gives nothing away. */
const CODE_BYTES = 10;
/** No 0, 1, 8 or 9, which look like letters on paper. */
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** Ten codes for the day the authenticator is lost, in groups of four signs, and the hashes to keep of them. */
export function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: CODES }, () => newCode());
  return { codes, hashes: codes.map(recoveryHash) };
}

function newCode(): string {
  let bits = BigInt(`0x${randomBytes(CODE_BYTES).toString("hex")}`);
  let signs = "";
  for (let nth = 0; nth < (CODE_BYTES * 8) / 5; nth++) {
    signs += ALPHABET[Number(bits & 31n)] ?? "";
    bits >>= 5n;
  }
  return signs.replaceAll(/(.{4})(?=.)/g, "$1-");
}
