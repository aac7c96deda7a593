import {
  CAMPAIGN_LIMITS,
  MOST_IMAGE_BYTES,
  type UploadKind,
  type UploadedFile,
  type VideoFacts,
} from "@millrace/contract";
import type { FastifyRequest } from "fastify";
import { type FairQueue, fairQueue } from "../../platform/fair-queue.ts";
import { type FileExtension, fileNameOf, type ReceivedFile } from "../../platform/files/stored-files.ts";
import { Problem } from "../../platform/http/problem.ts";
import { type Throttle, throttle } from "../../platform/http/throttle.ts";
import { cleanImage } from "../../platform/images/clean-image.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { probeVideo } from "../../platform/videos/probe-video.ts";
import { lockAccount } from "./campaign-store.ts";
import { fileOf } from "./creative-store.ts";
import type { CampaignsDeps } from "./deps.ts";
import { readOneFile, receiveOneFile, tooLarge } from "./read-one-file.ts";
import { type UploadPlaces, uploadPlaces } from "./upload-places.ts";
import { countUploads, forgetUpload, holdFiles, insertUpload } from "./upload-store.ts";

/** Keeps uploads from taking the machine: how many an account sends, and how many are read and worked on at once. */
export interface UploadLimits {
  perAccount: Record<UploadKind, Throttle>;
  /** An upload takes a place before a byte of its form is read. */
  places: UploadPlaces;
  turns: FairQueue;
}

const TOO_MANY = "Too many uploads. Please wait a few minutes";
const BUSY_TEXT = "Too many files are being uploaded. Please try again";

export const uploadLimits = (): UploadLimits => ({
  perAccount: {
    image: throttle({ tries: 120, windowSeconds: 600 }, TOO_MANY),
    video: throttle({ tries: 30, windowSeconds: 600 }, TOO_MANY),
  },
  // At most 60 MB of images in memory, or 600 MB of videos on this machine's disk, while they arrive and wait for their turn.
  places: uploadPlaces({
    atOnce: 12,
    perAccount: 2,
    waitingPerAccount: 4,
    // Long enough to see a place become free, and below the minute after which proxies give up.
    waitMs: 45_000,
    busyText: BUSY_TEXT,
    undisturbedMs: 30_000,
    checkMs: 1000,
  }),
  // One file at a time needs one thread and at most some 130 MB.
  turns: fairQueue({ atOnce: 1, perKey: 1, waitingPerKey: 5, waitMs: 15_000, busyText: BUSY_TEXT }),
});

export type UploadDeps = Pick<CampaignsDeps, "pool" | "clock" | "files"> & { limits: UploadLimits };

/** A file that has passed every check. */
interface Checked {
  content: Buffer | ReceivedFile;
  extension: FileExtension;
  bytes: number;
  width: number;
  height: number;
  video: VideoFacts | null;
}

/**
 * Keeps the only file of a form for the account and returns its address. Problem `too_large` or `unprocessable` says what is
 * wrong with it, `conflict` that the account has too many. Nothing is kept of a refused file.
 */
export async function uploadFile(
  deps: UploadDeps,
  accountId: number,
  sent: { request: FastifyRequest; kind: UploadKind },
): Promise<UploadedFile> {
  const { perAccount, places } = deps.limits;
  await perAccount[sent.kind].take(accountId);
  return places.run(accountId, () => readAndKeep(deps, accountId, sent));
}

async function readAndKeep(
  deps: UploadDeps,
  accountId: number,
  { request, kind }: { request: FastifyRequest; kind: UploadKind },
): Promise<UploadedFile> {
  const { limits, files } = deps;
  if (kind === "image") {
    const bytes = await limits.places.receive(request, () => readOneFile(request, kind));
    return keep(deps, accountId, await limits.turns.run(accountId, () => checkedImage(bytes)));
  }
  const received = await limits.places.receive(request, () => receiveOneFile(request, kind, files));
  try {
    return await keep(deps, accountId, await limits.turns.run(accountId, () => checkedVideo(received)));
  } finally {
    await received.discard();
  }
}

async function checkedImage(sent: Buffer): Promise<Checked> {
  const image = await cleanImage(sent);
  if (image.content.length > MOST_IMAGE_BYTES) throw tooLarge("image");
  return { ...image, bytes: image.content.length, video: null };
}

async function checkedVideo(received: ReceivedFile): Promise<Checked> {
  const { facts, ...video } = await probeVideo(received);
  return { content: received, bytes: received.bytes, video: facts, ...video };
}

/**
 * Records the upload, which keeps its file from being swept, then stores the file: a file store may take its time, and nobody
 * waits for it with a lock. After a crash in between nobody knows the address, and the record is swept.
 */
async function keep(
  { pool, clock, files }: UploadDeps,
  accountId: number,
  { content, extension, ...measured }: Checked,
): Promise<UploadedFile> {
  const file = fileNameOf(content, extension);
  const at = new Date(clock.now());
  const upload = await inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const kept = await countUploads(client, accountId);
    if (kept.files >= CAMPAIGN_LIMITS.uploads)
      throw full(`An account can keep at most ${CAMPAIGN_LIMITS.uploads.toLocaleString("en-US")} files`);
    if (kept.bytes + measured.bytes > CAMPAIGN_LIMITS.uploadBytes)
      throw full(`An account can keep at most ${CAMPAIGN_LIMITS.uploadBytes / 1024 ** 3} GB of files`);
    await holdFiles(client);
    return insertUpload(client, accountId, { file, ...measured, at });
  });
  try {
    await files.put(content, extension);
  } catch (error) {
    await forgetUpload(pool, upload.id, at);
    throw error;
  }
  return fileOf(upload);
}

const full = (sentence: string) =>
  new Problem("conflict", `${sentence}. Files that no creative uses are deleted after a week`);
