import { DAY_MS } from "@millrace/units";
import { z } from "zod";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import type { CampaignsDeps } from "./deps.ts";
import { forgetUnused } from "./upload-store.ts";

const QUEUE = "sweep-uploads";
const EVERY_SECONDS = 86_400;
/** How long an image that no creative uses is kept: a form may still be open. */
const KEPT_MS = 7 * DAY_MS;

/** Defines the daily job that deletes the images that no creative uses. */
export function sweepUploads({ jobs, ...deps }: Pick<CampaignsDeps, "pool" | "clock" | "files" | "jobs">): void {
  jobs.define(QUEUE, z.object({}), async () => {
    let more = true;
    while (more) more = await sweepOne(deps);
  });
  jobs.repeat(QUEUE, {}, EVERY_SECONDS);
}

function sweepOne({ pool, clock, files }: Pick<CampaignsDeps, "pool" | "clock" | "files">): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const forgotten = await forgetUnused(client, new Date(clock.now() - KEPT_MS));
    // While nobody can upload the same file.
    if (forgotten?.isNobodys === true) await files.remove(forgotten.file);
    return forgotten !== null;
  });
}
