/** The rows of one table in one segment, as newline-terminated JSON. The same token always means the same rows. */
export interface Block {
  table: string;
  token: string;
  count: number;
  rows: Buffer;
}

/**
 * Inserts a block into the store, once per token. Rejects with BlockRefused if the store cannot accept the block as it is;
 * any other rejection means "retry later".
 */
export type Ship = (block: Block) => Promise<void>;

/** The store works and refuses this block: sending it again cannot help before the next start. */
export class BlockRefused extends Error {
  constructor(cause: unknown) {
    super("the store refuses a block of the journal", { cause });
    this.name = "BlockRefused";
  }
}
