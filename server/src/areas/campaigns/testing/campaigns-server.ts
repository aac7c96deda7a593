import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import type { UploadKind } from "@millrace/contract";
import { serveStoredFiles } from "../../../platform/files/serve-stored-files.ts";
import { filesOnDisk } from "../../../platform/files/stored-files.ts";
import { buildServer } from "../../../platform/http/build-server.ts";
import { openJobs } from "../../../platform/jobs/index.ts";
import { silentLog } from "../../../platform/log.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { someCaller } from "../../../platform/testing/some-caller.ts";
import type { TestStores } from "../../../platform/testing/stores.ts";
import { refillCampaignBalance } from "../../payments/index.ts";
import { statisticsArea } from "../../statistics/index.ts";
import type { CampaignsDeps } from "../deps.ts";
import { campaignsArea } from "../index.ts";

/** A part of a form: a file if it has a name. */
export interface Part {
  content: Buffer | string;
  fileName?: string;
  field?: string;
}

const BOUNDARY = "----a-boundary";

/** A multipart form (RFC 7578), as browsers write it. */
export const formOf = (...parts: Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ content, fileName, field = "file" }) => [
      Buffer.from(
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"${
          fileName === undefined ? "" : `; filename="${fileName}"\r\ncontent-type: image/png`
        }\r\n\r\n`,
      ),
      Buffer.from(content),
      Buffer.from("\r\n"),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);

/** The routes of the campaigns area on a real store. The header `x-account` has the caller's account id. */
export async function campaignsServer(
  { pg, clickhouse }: TestStores,
  { keptDays, ...some }: Partial<CampaignsDeps> & { keptDays?: number } = {},
) {
  const dir = await mkdtemp(join(tmpdir(), "campaigns-"));
  const filesDir = join(dir, "files");
  const clock = { offsetMs: 0, now: (): number => Date.now() + clock.offsetMs };
  const jobs = openJobs({ pool: pg.pool, log: silentLog, timing: { pollMs: 50 } });
  const files = filesOnDisk(filesDir);
  const statistics = await statisticsArea({ clickhouse, journalDir: join(dir, "journal"), clock, log: silentLog });
  const campaigns = campaignsArea({
    pool: pg.pool,
    clock,
    jobs,
    files,
    demo: false,
    appLookup: { begin: async () => null, find: async () => ({ state: "done", items: [] }), logoOf: async () => null },
    countryCodes: ["DE", "US", "FR"],
    regions: new Map([
      ["DE-BE", "Berlin"],
      ["DE-BY", "Bayern"],
      ["FR-IDF", "Île-de-France"],
      ["US-TX", "Texas"],
      ["US-CA", "California"],
    ]),
    statistics: keptDays === undefined ? statistics : { ...statistics, keptDays },
    publicUrl: "https://ads.example.com",
    figuresOf: async () => new Map(),
    ...some,
  });
  const server = await buildServer({
    log: silentLog,
    trustedProxies: 0,
    authenticate: async ({ headers }) => {
      const accountId = Number(headers["x-account"]);
      return accountId > 0 ? someCaller({ accountId }) : null;
    },
  });
  campaigns.routes(server);
  serveStoredFiles(server, files);

  const post = async (accountId: number, url: string, payload: Buffer | string, contentType: string) => {
    const headers = { "x-account": String(accountId), "content-type": contentType };
    const reply = await server.inject({ method: "POST", url, headers, payload });
    return { status: reply.statusCode, body: reply.json<Record<string, unknown>>(), headers: reply.headers };
  };
  const uploadBytes = (accountId: number, payload: Buffer, kind: UploadKind = "image") =>
    post(accountId, `/campaign/upload?kind=${kind}`, payload, `multipart/form-data; boundary=${BOUNDARY}`);

  return {
    server,
    campaigns,
    clock,
    jobs,
    /** The stored files' names. */
    stored: async (): Promise<string[]> => readdir(filesDir).catch(() => []),
    async get(accountId: number, url: string) {
      const reply = await server.inject({
        url,
        headers: { "x-account": String(accountId), accept: "application/json" },
      });
      return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() };
    },
    send: (accountId: number, url: string, body: unknown) =>
      post(accountId, url, JSON.stringify(body), "application/json"),
    post,
    uploadBytes,
    upload: (accountId: number, ...parts: Part[]) => uploadBytes(accountId, formOf(...parts)),
    async newAccount({ balance = 0, demo = false } = {}): Promise<number> {
      const { rows } = await pg.pool.query<{ id: number }>(
        "INSERT INTO accounts (name, can_campaign, demo) VALUES ('Advertiser', true, $1) RETURNING id",
        [demo],
      );
      const accountId = rows[0]?.id ?? 0;
      if (balance > 0)
        await inTransaction(pg.pool, (client) =>
          refillCampaignBalance(client, {
            key: randomUUID(),
            accountId,
            amountMicros: balance,
            reason: "A test",
            actorUserId: 1,
            at: new Date(),
          }),
        );
      return accountId;
    },
    async stop() {
      await server.close();
      await jobs.stop(200);
      await statistics.stop?.();
      await rm(dir, { recursive: true });
    },
  };
}
