import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Measurement } from "./measurement.ts";

const GOAL_BYTES = 10 * 1024;
const FILES = { core: "core.mjs", whole: "millrace.js" } as const;

/** The size of the SDK that an app's users load. */
export const sdkSize: Measurement = {
  name: "sdk-size",
  title: "Size of the SDK",
  async run() {
    const sizeOf = async (file: string) => {
      const path = fileURLToPath(new URL(`../../packages/sdk/dist/${file}`, import.meta.url));
      return gzipSync(await readFile(path), { level: 9 }).length;
    };
    const [core, whole] = [await sizeOf(FILES.core), await sizeOf(FILES.whole)];
    const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
    return {
      figures: [
        {
          what: "SDK core, gzip",
          goal: `≤ ${kilobytes(GOAL_BYTES)}`,
          measured: kilobytes(core),
          reached: core <= GOAL_BYTES,
        },
      ],
      notes: [
        `\`${FILES.core}\` as built, without the frames for browsers. The complete SDK for web pages, \`${FILES.whole}\`, has ${kilobytes(whole)}.`,
      ],
    };
  },
};
