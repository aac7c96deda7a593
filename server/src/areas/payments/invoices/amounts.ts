import { CENT } from "../ledger.ts";
const BASIS_POINTS = 10_000n;

/** The amounts of a document, in cents, and what is less than a cent before and after it, in micro-dollars. */
export interface Amounts {
  netCents: bigint;
  vatCents: bigint;
  carriedInMicros: bigint;
  carriedOutMicros: bigint;
}

/**
 * What is invoiced of an amount of the ledger: whole cents, with what earlier documents of the account left over. The rest is carried to the
 * next one, so that all documents together are what the ledger has. VAT is rounded to the nearest cent, half a cent up.
 */
export function invoiceAmounts(amountMicros: bigint, carriedInMicros: bigint, rateBasisPoints: number): Amounts {
  const micros = amountMicros + carriedInMicros;
  // Rounds down, also below zero.
  const carriedOutMicros = ((micros % CENT) + CENT) % CENT;
  const netCents = (micros - carriedOutMicros) / CENT;
  return { netCents, vatCents: vatOn(netCents, rateBasisPoints), carriedInMicros, carriedOutMicros };
}

function vatOn(netCents: bigint, rateBasisPoints: number): bigint {
  const size = netCents < 0n ? -netCents : netCents;
  const vat = (size * BigInt(rateBasisPoints) + BASIS_POINTS / 2n) / BASIS_POINTS;
  return netCents < 0n ? -vat : vat;
}
