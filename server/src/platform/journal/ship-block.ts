import { type Block, BlockRefused, type Ship } from "./block.ts";

/** Finding one bad row among 50,000 takes 32 attempts; a block with many bad rows gets only a few of those. */
const MOST_ATTEMPTS = 200;

/**
 * Ships a block, and if the store refuses it, its halves recursively, so that one bad row costs only itself. Resolves
 * with the refused rows; rejects as `ship` does if it should be retried later. A part's token derives from
 * the block's and its position, so that each part counts once, however often this is repeated.
 */
export async function shipBlock(ship: Ship, block: Block): Promise<{ part: Block; cause: unknown }[]> {
  const refused: { part: Block; cause: unknown }[] = [];
  const parts = [block];
  for (let attempts = 1; parts.length > 0; attempts++) {
    const part = parts.pop() as Block;
    try {
      await ship(part);
    } catch (error) {
      if (!(error instanceof BlockRefused)) throw error;
      if (part.count > 1 && attempts < MOST_ATTEMPTS) parts.push(...halvesOf(part).reverse());
      else refused.push({ part, cause: error.cause });
    }
  }
  return refused;
}

function halvesOf({ table, token, count, rows }: Block): Block[] {
  const half = Math.floor(count / 2);
  let at = 0;
  for (let row = 0; row < half; row++) at = rows.indexOf(10, at) + 1;
  return [
    { table, token: `${token}/1`, count: half, rows: rows.subarray(0, at) },
    { table, token: `${token}/2`, count: count - half, rows: rows.subarray(at) },
  ];
}
