import { randomBytes } from "node:crypto";
import { recoveryHash } from "./take-code.ts";

const CODES = 10;
/** 80 random bits per code, so that its unsalted SHA-256 reveals nothing. */
const CODE_BYTES = 10;
/** Without 0, 1, 8 and 9, which look like letters on paper. */
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** Ten recovery codes in groups of four characters, and the hashes to store. */
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
