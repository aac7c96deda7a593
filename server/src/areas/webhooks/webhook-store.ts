import type { Pool, PoolClient } from "pg";
import type { StoredPlace } from "../statistics/index.ts";

/** A delivery is fixed before its first try. */
export interface OpenDelivery {
  id: string;
  until: StoredPlace;
  madeAt: Date;
}

/** A webhook whose turn it is. */
export interface DueWebhook {
  appId: number;
  uuid: string;
  url: string;
  place: StoredPlace;
  open: OpenDelivery | null;
  /** Tries in a row that have failed. */
  tries: number;
}

const placeText = ({ storedMs, atMs, eventId }: StoredPlace): string => `${storedMs}~${atMs}~${eventId}`;

function readPlace(text: string): StoredPlace {
  const [, storedMs, atMs, eventId = ""] = /^(\d+)~(\d+)~(.*)$/s.exec(text) ?? [];
  return { storedMs: Number(storedMs), atMs: Number(atMs), eventId };
}

/** Webhooks that are due and have nothing to send, unless it was stored after their place. Those of deleted apps are removed. */
export async function dueWithoutDelivery(
  pool: Pool,
  { now, limit }: { now: Date; limit: number },
): Promise<{ appId: number; place: StoredPlace }[]> {
  await pool.query(
    "DELETE FROM revenue_webhooks USING apps WHERE apps.id = app_id AND next_at <= $1 AND deleted_at IS NOT NULL",
    [now],
  );
  const { rows } = await pool.query<{ appId: number; place: string }>(
    `SELECT app_id AS "appId", place FROM revenue_webhooks WHERE next_at <= $1 AND delivery_id IS NULL
     ORDER BY next_at LIMIT $2`,
    [now, limit],
  );
  return rows.map(({ appId, place }) => ({ appId, place: readPlace(place) }));
}

/** Moves webhooks past a time in which nothing was stored for them. */
export async function passOver(
  pool: Pool,
  webhooks: readonly { appId: number; place: StoredPlace }[],
  { to, nextAt }: { to: StoredPlace; nextAt: Date },
): Promise<void> {
  await pool.query(
    `UPDATE revenue_webhooks w SET place = CASE WHEN seen.moves THEN $4 ELSE w.place END, next_at = $5
     FROM unnest($1::int[], $2::text[], $3::boolean[]) AS seen(app_id, place, moves)
     WHERE w.app_id = seen.app_id AND w.place = seen.place AND delivery_id IS NULL`,
    [
      webhooks.map(({ appId }) => appId),
      webhooks.map(({ place }) => placeText(place)),
      webhooks.map(({ place }) => place.storedMs < to.storedMs),
      placeText(to),
      nextAt,
    ],
  );
}

interface DueRow extends Omit<DueWebhook, "place" | "open"> {
  place: string;
  id: string | null;
  until: string;
  madeAt: Date;
}

/** Takes webhooks whose turn it is; no process takes them again for `leaseMs`. */
export async function takeDue(
  pool: Pool,
  { now, limit, leaseMs }: { now: Date; limit: number; leaseMs: number },
): Promise<DueWebhook[]> {
  const { rows } = await pool.query<DueRow>(
    `WITH taken AS (
       SELECT app_id FROM revenue_webhooks WHERE next_at <= $1 ORDER BY next_at LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     UPDATE revenue_webhooks w SET next_at = $1::timestamptz + $3 * interval '1 millisecond'
     FROM taken JOIN apps ON apps.id = taken.app_id WHERE w.app_id = taken.app_id
     RETURNING w.app_id AS "appId", apps.uuid, w.url, place, tries, delivery_id AS id, delivery_until AS until,
               delivery_made_at AS "madeAt"`,
    [now, limit, leaseMs],
  );
  return rows.map(({ place, id, until, madeAt, ...webhook }) => ({
    ...webhook,
    place: readPlace(place),
    open: id === null ? null : { id, until: readPlace(until), madeAt },
  }));
}

/** Fixes what the next delivery holds. False if the webhook is gone or another process was faster. */
export async function openDelivery(pool: Pool, { appId, place }: DueWebhook, open: OpenDelivery): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE revenue_webhooks SET delivery_id = $3, delivery_until = $4, delivery_made_at = $5
     WHERE app_id = $1 AND place = $2 AND delivery_id IS NULL`,
    [appId, placeText(place), open.id, placeText(open.until), open.madeAt],
  );
  return rowCount === 1;
}

interface Ended {
  place: StoredPlace;
  delivered: number;
  givenUp: number;
  at: Date;
  nextAt: Date;
}

/** Ends a delivery, whose impressions are delivered or given up. */
export async function endDelivery(
  pool: Pool,
  appId: number,
  id: string,
  { place, delivered, givenUp, at, nextAt }: Ended,
): Promise<void> {
  await pool.query(
    `UPDATE revenue_webhooks
     SET place = $3, delivered = delivered + $4, given_up = given_up + $5, next_at = $7, tries = 0,
         last_delivered_at = CASE WHEN $4 > 0 THEN $6 ELSE last_delivered_at END,
         delivery_id = NULL, delivery_until = NULL, delivery_made_at = NULL
     WHERE app_id = $1 AND delivery_id = $2`,
    [appId, id, placeText(place), delivered, givenUp, at, nextAt],
  );
}

/** Stores a try that has failed. */
export async function failTry(
  pool: Pool,
  appId: number,
  id: string,
  { outcome, at, nextAt }: { outcome: string; at: Date; nextAt: Date },
): Promise<void> {
  await pool.query(
    `UPDATE revenue_webhooks SET tries = tries + 1, next_at = $5, last_failed_at = $4, last_failure = $3
     WHERE app_id = $1 AND delivery_id = $2`,
    [appId, id, outcome, at, nextAt],
  );
}

export interface WebhookState {
  url: string;
  place: StoredPlace;
  delivered: number;
  givenUp: number;
  lastDeliveredAt: Date | null;
  lastFailedAt: Date | null;
  lastFailure: string | null;
}

export async function findWebhook(pool: Pool, appId: number): Promise<WebhookState | null> {
  const { rows } = await pool.query<Omit<WebhookState, "place"> & { place: string }>(
    `SELECT url, place, delivered::float8 AS delivered, given_up::float8 AS "givenUp",
            last_delivered_at AS "lastDeliveredAt", last_failed_at AS "lastFailedAt", last_failure AS "lastFailure"
     FROM revenue_webhooks WHERE app_id = $1`,
    [appId],
  );
  return rows[0] ? { ...rows[0], place: readPlace(rows[0].place) } : null;
}

/** The address, or null for none; nobody else changes it until the transaction ends. */
export async function lockAddress(client: PoolClient, appId: number): Promise<string | null> {
  await client.query("SELECT FROM apps WHERE id = $1 FOR NO KEY UPDATE", [appId]);
  const { rows } = await client.query<{ url: string }>("SELECT url FROM revenue_webhooks WHERE app_id = $1", [appId]);
  return rows[0]?.url ?? null;
}

/** Sets the address. What waits goes to the new one; a new webhook begins at a place. False if nothing changes. */
export async function saveWebhook(
  client: PoolClient,
  appId: number,
  { url, place, now }: { url: string; place: StoredPlace; now: Date },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO revenue_webhooks AS w (app_id, url, place, next_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (app_id) DO UPDATE
     SET url = excluded.url, next_at = excluded.next_at, tries = 0, last_failed_at = NULL, last_failure = NULL
     WHERE w.url <> excluded.url`,
    [appId, url, placeText(place), now],
  );
  return rowCount === 1;
}

/** False if there was none. */
export async function deleteWebhook(client: PoolClient, appId: number): Promise<boolean> {
  const { rowCount } = await client.query("DELETE FROM revenue_webhooks WHERE app_id = $1", [appId]);
  return rowCount === 1;
}
