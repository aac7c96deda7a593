/** The rows of one table in one segment, as newline-ended JSON. The same token always stands for the same rows. */
export interface Block {
  table: string;
  token: string;
  count: number;
  rows: Buffer;
}

/**
 * Puts a block into the store, once however often it is called with the same token. Rejects with BlockRefused when the
 * store can never take this block; any other rejection means "later".
 */
export type Ship = (block: Block) => Promise<void>;

/** The store is there and says no to this very block: sending it again cannot help. */
export class BlockRefused extends Error {
  constructor(cause: unknown) {
    super("the store refuses a block of the journal", { cause });
    this.name = "BlockRefused";
  }
}
