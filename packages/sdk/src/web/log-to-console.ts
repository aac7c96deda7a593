import type { Log } from "../core/index.ts";

/** Failures are objects with a code, which consoles show. */
export const logToConsole: Log = (level, text, data) => {
  // oxlint-disable-next-line no-console -- the app has asked for this level; `none` turns it off
  console[level](`Millrace: ${text}`, data);
};
