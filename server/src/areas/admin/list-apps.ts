import {
  ADMIN_ROWS_PER_PAGE,
  type AppIdentity,
  type Query,
  type Reply,
  type adminApps,
  type moderationQueue,
} from "@millrace/contract";
import type { AdminDeps } from "./deps.ts";
import { OWNERS } from "./find-owner.ts";
import { type Paged, paged } from "../../platform/postgres/paged.ts";

interface Row {
  id: number;
  waitingSince: Date;
  ownerUuid: string;
  ownerName: string;
  ownerEmail: string;
  moderation: "check" | "live" | "banned";
}

const COLUMNS = `p.id, coalesce(p.waiting_since, p.created_at) AS "waitingSince", u.uuid AS "ownerUuid",
  concat_ws(' ', u.name, nullif(u.surname, '')) AS "ownerName", u.email AS "ownerEmail", p.moderation`;
// An app's id in its store, as in the address of its page there.
const FOUND = `p.deleted_at IS NULL AND ($1 = '' OR strpos(lower(p.name), lower($1)) > 0
  OR strpos(lower(p.bundle_id), lower($1)) > 0 OR strpos(lower(p.url), lower($1)) > 0
  OR strpos(u.email, lower($1)) > 0 OR p.uuid::text = lower($1))`;
const FROM = `${OWNERS} JOIN apps p ON p.account_id = a.id WHERE ${FOUND}`;

type Deps = Pick<AdminDeps, "pool" | "appIdentities">;

/** The apps of all accounts, by name. */
export async function listApps(deps: Deps, { search, p }: Query<typeof adminApps>): Promise<Reply<typeof adminApps>> {
  const query = { columns: COLUMNS, from: FROM, orderBy: "lower(p.name), p.id" };
  const { rows, pager } = await withIdentity(
    deps,
    await paged<Row>(deps.pool, query, [search], { p, perPage: ADMIN_ROWS_PER_PAGE }),
  );
  const apps = rows.map(({ identity, row }) => ({ ...identity, owner: ownerOf(row), moderation: row.moderation }));
  return { apps, pager };
}

/** Apps waiting for moderation, the longest waiting first. */
export async function listWaitingApps(
  deps: Deps,
  { search, p }: Query<typeof moderationQueue>,
): Promise<Reply<typeof moderationQueue>> {
  const query = { columns: COLUMNS, from: `${FROM} AND p.moderation = 'check'`, orderBy: `"waitingSince", p.id` };
  const { rows, pager } = await withIdentity(
    deps,
    await paged<Row>(deps.pool, query, [search], { p, perPage: ADMIN_ROWS_PER_PAGE }),
  );
  const apps = rows.map(({ identity, row }) => ({
    ...identity,
    owner: ownerOf(row),
    waiting_since: row.waitingSince.toISOString(),
  }));
  return { apps, pager };
}

const ownerOf = (row: Row) => ({ uuid: row.ownerUuid, name: row.ownerName, email: row.ownerEmail });

async function withIdentity(
  { appIdentities }: Deps,
  { rows, pager }: Paged<Row>,
): Promise<Paged<{ identity: AppIdentity; row: Row }>> {
  const identities = await appIdentities(rows.map(({ id }) => id));
  // Apps deleted since the search are left out.
  const known = rows.flatMap((row) => {
    const identity = identities.get(row.id);
    return identity ? [{ identity, row }] : [];
  });
  return { rows: known, pager };
}
