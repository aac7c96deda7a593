/** An `at` among the first fields of the first row, in seconds. */
const FIRST_AT = /^[^\n]{0,200}?"at":"(?<seconds>\d+(?:\.\d+)?)"/;

/**
 * Whether the oldest row of a block is older than a moment. Rows are appended as they happen, so that the first is the oldest
 * by some milliseconds. A row whose time cannot be read counts as old.
 */
export function beginsBefore(rows: Buffer, moment: number): boolean {
  const seconds = FIRST_AT.exec(rows.subarray(0, 400).toString("latin1"))?.groups?.["seconds"];
  return seconds === undefined || Number(seconds) * 1000 < moment;
}
