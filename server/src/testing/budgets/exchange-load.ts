import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import type { Pool } from "pg";
import { insertCreative, insertUpload } from "../../areas/campaigns/index.ts";
import type { ClickHouse } from "../../platform/clickhouse/connect-clickhouse.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { sleep } from "../../platform/waiting.ts";

const BUNDLE = "com.example.load";
const SIZE = { width: 320, height: 50 };

/**
 * Lets campaigns buy in a new app: each gets an approved banner. Yesterday had one request an hour, so that pacing expects
 * few to come and lets every campaign spend all that it may at once.
 */
export async function letBuy({ pool, clickhouse }: { pool: Pool; clickhouse: ClickHouse }, campaigns: number[]) {
  await clickhouse.write.command({
    query: `INSERT INTO auctions (at, auction_id, app_id, format, country, platform, campaign_platform, media)
            SELECT toStartOfDay(now('UTC')) - toIntervalHour(number + 1), generateUUIDv4(), 1, 'banner', 'DE', 'android', 'android',
              ['banner'] FROM numbers(24)`,
  });
  await inTransaction(pool, async (client) => {
    const at = new Date();
    const all = { ios: { all: true, min: "12", max: "26" }, android: { all: true, min: "5", max: "16" } };
    const { rows } = await client.query<{ id: number; account_id: number }>(
      `UPDATE campaigns SET days = '{1,2,3,4,5,6,7}', ios = $2, android = $3 WHERE id = ANY($1) RETURNING id, account_id`,
      [campaigns, all.ios, all.android],
    );
    for (const { id, account_id: accountId } of rows) {
      const upload = await insertUpload(client, accountId, { file: "load.png", bytes: 1, ...SIZE, video: null, at });
      const link = { store_id: BUNDLE, cta: "", click_url: "https://shop.example/", tracking_url: "" };
      const fields = {
        ...link,
        format: "banner",
        title: "",
        country: "",
        skip_timer: 0,
        image_url: "/files/load.png",
      } as const;
      await insertCreative(client, id, { uploadId: upload.id, moderation: "approved", at, fields });
    }
    await client.query(
      `WITH account AS (INSERT INTO accounts (name) VALUES ('Studio') RETURNING id)
       INSERT INTO apps (account_id, name, bundle_id, platform) SELECT id, 'Puzzle', $1, 'android' FROM account`,
      [BUNDLE],
    );
  });
}

export interface LoadOrder {
  /** Of the exchange. */
  url: string;
  /** Ads of one request. */
  imps: number;
  /** Requests at a time. */
  callers: number;
  /** The shares of ads that are shown, and that lose in the caller's own auction; nothing is heard of the others. */
  shown: number;
  lost: number;
}

const BATCH = 200;
/**
 * The share of batches that a device sends again, although they were answered. Whether an impression was counted twice is for the
 * event store to say: one that does not count is acknowledged each time.
 */
const REPEATED = 0.1;
const RETRY_MS = 100;
const upTo = (most: number) => Math.floor(Math.random() * most);

/** What an exchange needs for the load: it comes from many addresses, as from behind a proxy. */
export const LOADED = { TRUSTED_PROXIES: "1", IMPS_PER_SECOND: "1000000", MAX_IMPS: "100" };

/** Devices that ask an exchange for ads, show some of them, and send what was not answered again. */
export class ExchangeLoad {
  /** Ads that were returned: what was held for them is theirs. */
  returned = 0;
  /** Impressions that were acknowledged for the first time. */
  acknowledged = 0;
  /** Calls that were not answered, or with a 503, or with a 429 because their app asks faster than one may. */
  failed = 0;
  readonly #order: LoadOrder;
  readonly #agent = new Agent({ keepAlive: true });
  #events: Sent[] = [];

  constructor(order: LoadOrder) {
    this.#order = order;
  }

  /** Goes on until so many ads have been returned, and all that were shown are acknowledged. */
  async run(ads: number): Promise<void> {
    const one = async () => {
      while (this.returned < ads) {
        await this.#ask();
        while (this.#events.length >= BATCH) await this.#report(this.#events.splice(0, BATCH));
      }
    };
    await Promise.all(Array.from({ length: this.#order.callers }, one));
    while (this.#events.length > 0) await this.#report(this.#events.splice(0, BATCH));
    this.#agent.destroy();
  }

  async #ask(): Promise<void> {
    const answer = await this.#post("/openrtb2/auction", {
      id: randomUUID(),
      imp: Array.from({ length: this.#order.imps }, (_, nth) => ({
        id: `${nth}`,
        tagid: "home",
        banner: { format: [{ w: SIZE.width, h: SIZE.height }] },
      })),
      app: { bundle: BUNDLE },
      device: { ua: UA, os: "android", osv: "14", ifa: randomUUID(), geo: { country: "DEU" } },
    });
    const [shown, lost] = [tokensOf("impression", answer), tokensOf("loss", answer)];
    this.returned += shown.length;
    // Campaigns need some moments for their first leases.
    if (shown.length === 0) await sleep(RETRY_MS);
    for (const [nth, token] of shown.entries()) {
      const fate = Math.random() - this.#order.shown;
      if (fate < 0) this.#events.push({ type: "impression", token });
      else if (fate < this.#order.lost) this.#events.push({ type: "loss", token: lost[nth] ?? "" });
    }
  }

  /** Sends events until they are acknowledged. */
  async #report(events: readonly Sent[]): Promise<void> {
    const send = () => this.#post("/sdk/v1/events", { events });
    const { results } = JSON.parse(await send()) as Results;
    this.acknowledged += results.filter(
      ({ result }, nth) => result === "accepted" && events[nth]?.type === "impression",
    ).length;
    if (Math.random() < REPEATED) await send();
  }

  /** The answer's body. A call that is cut off or cannot be answered is repeated, by whichever process takes it. */
  async #post(path: string, body: object): Promise<string> {
    for (;;) {
      const answer = await this.#send(path, JSON.stringify(body)).catch(() => null);
      if (answer?.status === 200) return answer.text;
      if (answer !== null && answer.status !== 503 && answer.status !== 429)
        throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
      this.failed += 1;
      await sleep(RETRY_MS);
    }
  }

  #send(path: string, body: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#order.url}${path}`, {
        method: "POST",
        agent: this.#agent,
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          "user-agent": UA,
          "x-forwarded-for": [11 + upTo(80), upTo(256), upTo(256), 1 + upTo(254)].join("."),
        },
      });
      sent.once("error", reject);
      sent.once("response", (reply) => {
        const chunks: Buffer[] = [];
        reply.on("data", (chunk: Buffer) => chunks.push(chunk));
        reply.once("error", reject);
        reply.once("end", () => resolve({ status: reply.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      });
      sent.end(body);
    });
  }
}

const UA =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36";
interface Sent {
  type: "impression" | "loss";
  token: string;
}

/** The tokens of an answer's beacons, an ad's each at the same place. */
const tokensOf = (beacon: Sent["type"], answer: string): string[] =>
  Array.from(answer.matchAll(new RegExp(`beacon/${beacon}\\?t=([\\w.~-]+)`, "g")), ([, token]) => token ?? "");

interface Results {
  results: { result: string }[];
}
