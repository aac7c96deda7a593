import { expect, test } from "vitest";
import { createLog, storeLines } from "./logger.ts";

test.each(["2026-01-01 UTC [1] LOG:  checkpoint complete", "2026-01-01 UTC [1] ERROR:  division by zero", ""])(
  "a store may say %j, and the platform goes on",
  (line) => {
    const take = storeLines(createLog("info"), "postgres");
    expect(() => take(line)).not.toThrow();
  },
);
