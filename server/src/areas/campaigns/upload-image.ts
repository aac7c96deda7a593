import { MOST_IMAGE_BYTES, type UploadedImage, CAMPAIGN_LIMITS } from "@millrace/contract";
import { type FairQueue, fairQueue } from "../../platform/fair-queue.ts";
import { Problem } from "../../platform/http/problem.ts";
import { type Throttle, throttle } from "../../platform/http/throttle.ts";
import { cleanImage } from "../../platform/images/clean-image.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { lockAccount } from "./campaign-store.ts";
import { imageOf } from "./creative-store.ts";
import type { CampaignsDeps } from "./deps.ts";
import { countUploads, holdFiles, insertUpload } from "./upload-store.ts";

/** Keeps uploads from taking the machine: how many an account sends, and how many images are worked on at once. */
export interface UploadLimits {
  perAccount: Throttle;
  turns: FairQueue;
}

export const uploadLimits = (): UploadLimits => ({
  perAccount: throttle({ tries: 120, windowSeconds: 600 }, "Too many uploads. Please wait a few minutes"),
  // One image at a time needs one thread and at most some 130 MB.
  turns: fairQueue({
    atOnce: 1,
    perKey: 1,
    waitingPerKey: 5,
    waitMs: 15_000,
    busyText: "Too many images are being uploaded. Please try again",
  }),
});

/**
 * Keeps an image of the account and returns its address. Problem `too_large` or `unprocessable` says what is wrong with
 * it, `conflict` that the account has too many.
 */
export async function uploadImage(
  { pool, clock, files, limits }: Pick<CampaignsDeps, "pool" | "clock" | "files"> & { limits: UploadLimits },
  accountId: number,
  bytes: Buffer,
): Promise<UploadedImage> {
  const { content, extension, width, height } = await limits.turns.run(accountId, () => cleanImage(bytes));
  if (content.length > MOST_IMAGE_BYTES) throw tooLarge();
  return inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    if ((await countUploads(client, accountId)) >= CAMPAIGN_LIMITS.uploads)
      throw new Problem(
        "conflict",
        `An account can keep at most ${CAMPAIGN_LIMITS.uploads.toLocaleString("en-US")} images. Images that no creative uses are deleted after a week`,
      );
    await holdFiles(client);
    const file = await files.put(content, extension);
    const at = new Date(clock.now());
    return imageOf(await insertUpload(client, accountId, { file, bytes: content.length, width, height, at }));
  });
}

export const tooLarge = () => new Problem("too_large", `Use an image of at most ${MOST_IMAGE_BYTES / 1024 / 1024} MB`);
