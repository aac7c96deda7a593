const SMALLEST_BYTES = 4096;
/** Of one size. */
const MOST_SPARE = 8;

const spares = new Map<number, Buffer[]>();

/**
 * A buffer of at least this size, with anything in it. Buffers are given back and used again: a bidder that pours would need
 * new ones without end, and collecting them would delay every auction.
 */
export function takeBuffer(leastBytes: number): Buffer {
  const size = 2 ** Math.ceil(Math.log2(Math.max(leastBytes, SMALLEST_BYTES)));
  return spares.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
}

/** Gives a buffer of `takeBuffer` back; nothing may read it any more. */
export function giveBuffer(buffer: Buffer): void {
  const spare = spares.get(buffer.length);
  if (!spare) spares.set(buffer.length, [buffer]);
  else if (spare.length < MOST_SPARE) spare.push(buffer);
}
