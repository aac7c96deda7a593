import type { CampaignFields, CampaignFormat, SWITCHED } from "@millrace/contract";
import { dayOf } from "@millrace/units";
import type { Pool, PoolClient } from "pg";
import { Problem } from "../../platform/http/problem.ts";
import { keepUploadsOf } from "./upload-store.ts";

type Db = Pool | PoolClient;

/** A campaign's fields without its creatives. */
export type PlainFields = Omit<CampaignFields, "creatives">;

export interface Campaign {
  id: number;
  uuid: string;
  logoUrl: string | null;
  frozen: boolean;
  startsAt: Date;
  endsAt: Date | null;
  fields: PlainFields;
}

interface Row {
  id: number;
  uuid: string;
  logo_url: string | null;
  frozen: boolean;
  name: string;
  bundle_id: string;
  store_id: string;
  app_platform: PlainFields["app_platform"];
  site: string;
  format: PlainFields["campaign_format"];
  budget_micros: string;
  bid_micros: string;
  daily_micros: string;
  starts_at: Date;
  ends_at: Date | null;
  days: number[];
  active_from: string;
  active_to: string;
  network: PlainFields["network"];
  geo_type: PlainFields["geo_type"];
  countries: string[];
  regions: string[];
  platforms: PlainFields["platform"];
  ios: PlainFields["ios"];
  android: PlainFields["android"];
  caps: PlainFields["limit"];
  click_link: string;
  view_link: string;
  conversion_event: string;
  click_window: number;
  view_window: number;
  rotation: PlainFields["rotation"];
  hold_out: number;
}

/** The end's time of a campaign without an end, as a new form has it. */
const NO_END_TIME = "14:00";
const momentOf = (day: string, time: string) => new Date(`${day}T${time}:00Z`);
const timeOf = (moment: Date) => moment.toISOString().slice(11, 16);

const campaignOf = (row: Row): Campaign => ({
  id: row.id,
  uuid: row.uuid,
  logoUrl: row.logo_url,
  frozen: row.frozen,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  fields: {
    name: row.name,
    bundle_id: row.bundle_id,
    store_id: row.store_id,
    app_platform: row.app_platform,
    site: row.site,
    campaign_format: row.format,
    budget: Number(row.budget_micros),
    bid: { type: "cpm", value: Number(row.bid_micros), daily: Number(row.daily_micros) },
    start_date: dayOf(row.starts_at.getTime()),
    start_time: timeOf(row.starts_at),
    end_date: row.ends_at && dayOf(row.ends_at.getTime()),
    end_time: row.ends_at ? timeOf(row.ends_at) : NO_END_TIME,
    days: row.days,
    day_activity_from: row.active_from,
    day_activity_to: row.active_to,
    network: row.network,
    geo_type: row.geo_type,
    country: row.countries,
    region: row.regions,
    platform: row.platforms,
    ios: row.ios,
    android: row.android,
    limit: row.caps,
    click_link: row.click_link,
    view_link: row.view_link,
    conversion_event: row.conversion_event,
    click_window: row.click_window,
    view_window: row.view_window,
    rotation: row.rotation,
    hold_out: row.hold_out,
  },
});

const columnsOf = (
  fields: PlainFields,
): Omit<Row, "id" | "uuid" | "logo_url" | "frozen" | "caps"> & { caps: string } => ({
  name: fields.name,
  bundle_id: fields.bundle_id,
  store_id: fields.store_id,
  app_platform: fields.app_platform,
  site: fields.site,
  format: fields.campaign_format,
  budget_micros: String(fields.budget),
  bid_micros: String(fields.bid.value),
  daily_micros: String(fields.bid.daily),
  starts_at: momentOf(fields.start_date, fields.start_time),
  ends_at: fields.end_date === null ? null : momentOf(fields.end_date, fields.end_time),
  days: fields.days,
  active_from: fields.day_activity_from,
  active_to: fields.day_activity_to,
  network: fields.network,
  geo_type: fields.geo_type,
  countries: fields.country,
  regions: fields.region,
  platforms: fields.platform,
  ios: fields.ios,
  android: fields.android,
  click_link: fields.click_link,
  view_link: fields.view_link,
  conversion_event: fields.conversion_event,
  click_window: fields.click_window,
  view_window: fields.view_window,
  rotation: fields.rotation,
  hold_out: fields.hold_out,
  // The driver would write a list as a PostgreSQL array.
  caps: JSON.stringify(fields.limit),
});

/** SQL: the campaigns of the account `$1` that have the text `$2` in their name, app or id, newest first. An empty text finds all. */
const FOUND = `FROM campaigns WHERE account_id = $1 AND deleted_at IS NULL
       AND ($2 = '' OR strpos(lower(name), lower($2)) > 0 OR strpos(lower(store_id), lower($2)) > 0
         OR strpos(lower(bundle_id), lower($2)) > 0 OR uuid::text = lower($2))
     ORDER BY id DESC`;

/** Finds the account's campaigns with a text in their name or app, or all if it is empty. The newest comes first. */
export async function listCampaigns(db: Db, accountId: number, search: string): Promise<Campaign[]> {
  const { rows } = await db.query<Row>(`SELECT * ${FOUND}`, [accountId, search]);
  return rows.map(campaignOf);
}

/** Finds the same campaigns and reads their ids only, because reading countries and regions is slow. */
export async function findCampaignIds(db: Db, accountId: number, search: string): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(`SELECT id ${FOUND}`, [accountId, search]);
  return rows.map(({ id }) => id);
}

/** Reads those of the account's campaigns that have these ids. The newest comes first. */
export async function campaignsById(db: Db, accountId: number, ids: readonly number[]): Promise<Campaign[]> {
  const { rows } = await db.query<Row>(
    "SELECT * FROM campaigns WHERE account_id = $1 AND deleted_at IS NULL AND id = ANY($2) ORDER BY id DESC",
    [accountId, ids],
  );
  return rows.map(campaignOf);
}

/** What statistics show of a campaign, for which deleted ones count, too. */
export type NamedCampaign = Pick<Campaign, "id" | "uuid" | "logoUrl"> & {
  name: string;
  format: CampaignFormat;
  isDeleted: boolean;
};

/** All campaigns that the account ever had, newest first. */
export async function namedCampaigns(db: Db, accountId: number): Promise<NamedCampaign[]> {
  const { rows } = await db.query<NamedCampaign>(
    `SELECT id, uuid, name, format, logo_url AS "logoUrl", deleted_at IS NOT NULL AS "isDeleted" FROM campaigns
     WHERE account_id = $1 ORDER BY id DESC`,
    [accountId],
  );
  return rows;
}

/** A campaign's name where no other mark tells that it is deleted. */
export const labelOf = ({ name, isDeleted }: NamedCampaign): string => (isDeleted ? `${name} (deleted)` : name);

/** One of the account's campaigns. Problem `not_found`. */
export async function ownCampaign(db: Db, accountId: number, uuid: string): Promise<Campaign> {
  return foundCampaign(
    await db.query<Row>("SELECT * FROM campaigns WHERE account_id = $1 AND uuid = $2 AND deleted_at IS NULL", [
      accountId,
      uuid,
    ]),
  );
}

/** The same, locked until the transaction ends. */
export async function lockCampaign(client: PoolClient, accountId: number, uuid: string): Promise<Campaign> {
  return foundCampaign(
    await client.query<Row>(
      "SELECT * FROM campaigns WHERE account_id = $1 AND uuid = $2 AND deleted_at IS NULL FOR UPDATE",
      [accountId, uuid],
    ),
  );
}

/** Whether there is or was a campaign with this UUID. */
export async function isKnown(client: PoolClient, uuid: string): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM campaigns WHERE uuid = $1", [uuid]);
  return (rowCount ?? 0) > 0;
}

function foundCampaign({ rows: [row] }: { rows: Row[] }): Campaign {
  if (!row) throw new Problem("not_found", "There is no such campaign");
  return campaignOf(row);
}

/** Whether an account is the demo's, whose campaigns and apps trade among themselves. */
export async function isDemoAccount(db: Db, accountId: number): Promise<boolean> {
  const { rows } = await db.query<{ demo: boolean }>("SELECT demo FROM accounts WHERE id = $1", [accountId]);
  return rows[0]?.demo === true;
}

/**
 * Locks an account until the transaction ends, so that its limits hold, and tells whether it is the demo's. Problem
 * `not_found` if it is being deleted.
 */
export async function lockAccount(client: PoolClient, accountId: number): Promise<{ isDemo: boolean }> {
  const { rows } = await client.query<{ isDemo: boolean }>(
    `SELECT demo AS "isDemo" FROM accounts WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
    [accountId],
  );
  if (!rows[0]) throw new Problem("not_found", "There is no such account");
  return rows[0];
}

export async function countCampaigns(client: PoolClient, accountId: number): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM campaigns WHERE account_id = $1 AND deleted_at IS NULL",
    [accountId],
  );
  return rows[0]?.n ?? 0;
}

export async function insertCampaign(
  client: PoolClient,
  accountId: number,
  { uuid, fields, logoUrl, at }: { uuid?: string | undefined; fields: PlainFields; logoUrl: string | null; at: Date },
): Promise<Campaign> {
  const columns = Object.entries(columnsOf(fields));
  return foundCampaign(
    await client.query<Row>(
      `INSERT INTO campaigns (uuid, account_id, logo_url, created_at, ${columns.map(([name]) => name).join(", ")})
       VALUES (coalesce($1, gen_random_uuid()), $2, $3, $4, ${columns.map((_, index) => `$${index + 5}`).join(", ")}) RETURNING *`,
      [uuid, accountId, logoUrl, at, ...columns.map(([, value]) => value)],
    ),
  );
}

export async function updateCampaign(
  client: PoolClient,
  { id }: Pick<Campaign, "id">,
  { fields, logoUrl }: { fields: PlainFields; logoUrl: string | null },
): Promise<void> {
  const columns = Object.entries(columnsOf(fields));
  await client.query(
    `UPDATE campaigns SET logo_url = $2, ${columns.map(([name], index) => `${name} = $${index + 3}`).join(", ")}
     WHERE id = $1`,
    [id, logoUrl, ...columns.map(([, value]) => value)],
  );
}

export async function setFrozen(client: PoolClient, { id }: Pick<Campaign, "id">, frozen: boolean): Promise<void> {
  await client.query("UPDATE campaigns SET frozen = $2 WHERE id = $1", [id, frozen]);
}

/** Takes a campaign out of service; its id is never reused. */
export async function deleteCampaign(client: PoolClient, { id }: Pick<Campaign, "id">, at: Date): Promise<void> {
  await client.query("UPDATE campaigns SET deleted_at = $2 WHERE id = $1", [id, at]);
}

/** Takes all campaigns of an account out of service. */
export async function deleteCampaignsOf(client: PoolClient, accountId: number): Promise<void> {
  await keepUploadsOf(client, accountId);
  await client.query(
    `UPDATE creatives SET deleted_at = now() FROM campaigns c
     WHERE c.id = campaign_id AND c.account_id = $1 AND creatives.deleted_at IS NULL`,
    [accountId],
  );
  await client.query("UPDATE campaigns SET deleted_at = now() WHERE account_id = $1 AND deleted_at IS NULL", [
    accountId,
  ]);
}

export const switchOf = ({ frozen }: Campaign): (typeof SWITCHED)[number] => (frozen ? "frozen" : "active");
