import { Readable } from "node:stream";
import { type ClickHouseClient, ClickHouseError } from "@clickhouse/client";
import { BlockRefused, type Ship } from "../../platform/journal/block.ts";
import { lostColumns } from "./lost-columns.ts";

/**
 * Errors by which ClickHouse says that these rows do not fit this table, however often they are sent. A table that is missing is none: a
 * store that is being restored gets it.
 */
const REFUSALS = new Set([
  "CANNOT_PARSE_INPUT_ASSERTION_FAILED",
  "CANNOT_PARSE_TEXT",
  "CANNOT_PARSE_NUMBER",
  "CANNOT_PARSE_DATE",
  "CANNOT_PARSE_DATETIME",
  "CANNOT_PARSE_UUID",
  "CANNOT_PARSE_QUOTED_STRING",
  "CANNOT_PARSE_ESCAPE_SEQUENCE",
  "CANNOT_READ_ARRAY_FROM_TEXT",
  "CANNOT_READ_ALL_DATA",
  "INCORRECT_DATA",
  "ILLEGAL_COLUMN",
  "NO_SUCH_COLUMN_IN_TABLE",
  "THERE_IS_NO_COLUMN",
  "TYPE_MISMATCH",
  "TOO_LARGE_STRING_SIZE",
  "VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE",
  "ARGUMENT_OUT_OF_BOUND",
]);

/**
 * Inserts a block of the journal. Its token stands for exactly these rows, so that a block sent twice counts once, in the
 * table and in every rollup (the client's settings ask for that). The block is one block for the store too: it is
 * smaller than the store's smallest, and the token would otherwise stand for its first part alone.
 */
export function shipToClickHouse(write: ClickHouseClient): Ship {
  const lost = lostColumns(write);
  return async ({ table, token, rows }) => {
    try {
      await lost.remember();
      const { stream } = await write.exec({
        query: `INSERT INTO ${table} FORMAT JSONEachRow`,
        values: Readable.from([rows], { objectMode: false }),
        // A server that gathers inserts on its own would answer before they are in the table, and mix tokens.
        clickhouse_settings: {
          insert_deduplication_token: token,
          async_insert: 0,
          // Devices and bidders choose their texts; half of a surrogate pair among them must not refuse a whole block.
          input_format_json_throw_on_bad_escape_sequence: 0,
        },
      });
      stream.resume();
    } catch (error) {
      if (!(error instanceof ClickHouseError && REFUSALS.has(error.type ?? ""))) throw error;
      // Rows that would fit the tables of this version wait for them.
      throw (await lost.areAny()) ? error : new BlockRefused(error);
    }
  };
}
