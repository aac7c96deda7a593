/**
 * Tipalti calls a payment by a reference code, which some of its versions limit to 16 characters. 16 characters to the base of 32 are
 * the first 80 bits of the payout's id: they are found again by the primary key, and two payouts that share them will not occur.
 */
export function refCodeOf(payoutId: string): string {
  return BigInt(`0x${plain(payoutId).slice(0, HEX_DIGITS)}`)
    .toString(32)
    .padStart(REF_CODE_LENGTH, "0")
    .toUpperCase();
}

const HEX_DIGITS = 20;
const REF_CODE_LENGTH = 16;
const REF_CODE = /^[0-9A-V]{16}$/i;

/** The first and the last id that a payout with this reference code may have; null if it is no such code. */
export function payoutIdsOf(refCode: string): { first: string; last: string } | null {
  if (!REF_CODE.test(refCode)) return null;
  let bits = 0n;
  for (const digit of refCode) bits = bits * 32n + BigInt(Number.parseInt(digit, 32));
  const digits = bits.toString(16).padStart(HEX_DIGITS, "0");
  return { first: digits.padEnd(32, "0"), last: digits.padEnd(32, "f") };
}

/** Tipalti's id of a payee (`idap`) takes letters and digits. */
export const idapOf = (payeeId: string): string => plain(payeeId);

/** The payee's id without dashes, as PostgreSQL reads it too; null if it is none. */
export const payeeIdOf = (idap: string): string | null => (/^[0-9a-f]{32}$/i.test(idap) ? idap : null);

const plain = (uuid: string) => uuid.replaceAll("-", "");
