import { createReadStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ReadStream } from "node:fs";
import { type TableFileStatus, mayUse } from "@millrace/contract";
import { DAY_MS } from "@millrace/units";
import { z } from "zod";
import { namesIn } from "../../../platform/files/folders.ts";
import { writeWhole } from "../../../platform/files/write-whole.ts";
import { Problem } from "../../../platform/http/problem.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import type { Jobs } from "../../../platform/jobs/index.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import type { AppsDeps } from "../deps.ts";
import { ownApp } from "../store.ts";
import * as store from "./file-store.ts";
import { type FileRequest, makeTableFile } from "./make-table-file.ts";

const QUEUE = "make-table-file";
const KEPT_MS = DAY_MS;
const KEPT_PER_ACCOUNT = 50;
/** The limit of an account's files that are waiting or running. */
const MOST_UNFINISHED = 20;
/** A file requested this recently is reused; today's numbers in it are no older than this. */
const SAME_MS = 600_000;
const MOST_TRIES = 4;
const PERCENT_EVERY_MS = 300;
const UNFINISHED = ".part";

export interface TableFiles {
  /** Starts to make the file, or finds a recent one. Problem `too_many` for an account with too many pending. */
  make(accountId: number, request: FileRequest): Promise<TableFileStatus>;
  /** Problem `not_found` for a file of others, or an unknown one. */
  status(caller: Caller, uuid: string): Promise<TableFileStatus>;
  /** Problem `not_found` for another account's file or an unknown one; `conflict` if it is not ready. */
  open(caller: Caller, uuid: string): Promise<{ name: string; bytes: number; content: ReadStream }>;
  /** Deletes expired files, and files on disk that an earlier process left and the store does not know. */
  clean(): Promise<void>;
}

/**
 * Makes long statistics tables as files, in jobs that run one at a time. Each account has one job: it makes the
 * account's oldest file and queues the next job behind those of other accounts, so accounts take turns.
 */
export function tableFiles(deps: AppsDeps & { jobs: Jobs; filesDir: string }): TableFiles {
  const { pool, clock, log, jobs, filesDir } = deps;
  const { turns } = deps.statistics;
  const pathOf = (uuid: string) => join(filesDir, uuid);
  const now = () => new Date(clock.now());

  jobs.define(QUEUE, z.object({ accountId: z.int() }), ({ accountId }) => makeNext(accountId), {
    // More than a file's own tries: a file that cannot be made must not keep the account's others waiting.
    retryLimit: MOST_TRIES + 2,
  });

  async function makeNext(accountId: number): Promise<void> {
    const file = await store.takeOldest(pool, accountId);
    if (!file) return;
    const { uuid, tries, request } = file;
    let name: string | null = null;
    try {
      if (tries <= MOST_TRIES) name = await turns.run(accountId, () => writeFile(accountId, uuid, request));
    } catch (error) {
      const isGone = error instanceof Problem && error.code === "not_found";
      if (!isGone && tries < MOST_TRIES) throw error;
      log.error({ err: error, file: uuid }, "a statistics file could not be created");
    }
    await inTransaction(pool, async (client) => {
      await store.lockFilesOf(client, accountId);
      await store.finishFile(client, uuid, name);
      if ((await store.countUnfinished(client, accountId)) > 0) await jobs.send(QUEUE, { accountId }, { client });
    });
    await clean();
  }

  /** Resolves to the file's name once it is on the disk as a whole. */
  async function writeFile(accountId: number, uuid: string, request: FileRequest): Promise<string> {
    let reportedAt = 0;
    const onPercent = (percent: number) => {
      if (performance.now() - reportedAt < PERCENT_EVERY_MS) return;
      reportedAt = performance.now();
      // A failure here stops the progress bar, not the file.
      store.setPercent(pool, uuid, Math.min(99, Math.floor(percent))).catch(() => undefined);
    };
    const { name, content } = await makeTableFile(deps, accountId, request, onPercent);
    await mkdir(filesDir, { recursive: true, mode: 0o700 });
    await writeWhole({ dir: filesDir, name: uuid, unfinished: UNFINISHED }, content);
    return name;
  }

  async function found(caller: Caller, uuid: string): Promise<store.TableFile> {
    const file = await store.findFile(pool, caller, uuid, now());
    if (!file || !(file.isOfOneApp || mayUse("publisher.read", caller)))
      throw new Problem("not_found", "There is no such file");
    return file;
  }

  async function clean(): Promise<void> {
    await store.forgetOldFiles(pool, now(), KEPT_PER_ACCOUNT);
    const onDisk = await namesIn(filesDir);
    const known = await store.everyFile(pool);
    const unknown = onDisk.filter((name) => !known.has(name.replace(UNFINISHED, "")));
    await Promise.all(unknown.map((name) => rm(join(filesDir, name), { force: true })));
  }

  return {
    async make(accountId, request) {
      if (request.app !== null) await ownApp(pool, { accountId, appIds: request.appIds }, request.app);
      return inTransaction(pool, async (client) => {
        await store.lockFilesOf(client, accountId);
        const since = new Date(clock.now() - SAME_MS);
        const same = await store.findSameFile(client, accountId, request, { since, now: now() });
        if (same) return statusOf(same);
        const unfinished = await store.countUnfinished(client, accountId);
        if (unfinished >= MOST_UNFINISHED)
          throw new Problem("too_many", "Too many files are being created for you. Please wait", {
            retryAfterSeconds: 10,
          });
        const expiresAt = new Date(clock.now() + KEPT_MS);
        const file = await store.insertFile(client, accountId, request, { createdAt: now(), expiresAt });
        if (unfinished === 0) await jobs.send(QUEUE, { accountId }, { client });
        return statusOf(file);
      });
    },
    status: async (caller, uuid) => statusOf(await found(caller, uuid)),
    async open(caller, uuid) {
      const { state, fileName } = await found(caller, uuid);
      if (state !== "ready" || fileName === null) throw new Problem("conflict", "The file is not ready");
      const size = await stat(pathOf(uuid)).catch(() => undefined);
      if (!size) throw new Problem("not_found", "There is no such file");
      return { name: fileName, bytes: size.size, content: createReadStream(pathOf(uuid)) };
    },
    clean,
  };
}

const statusOf = ({ uuid, state, percent, expiresAt }: store.TableFile): TableFileStatus => ({
  id: uuid,
  state,
  percent,
  expires_at: expiresAt.toISOString(),
});
