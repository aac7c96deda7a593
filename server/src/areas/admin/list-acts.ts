import { ADMIN_ROWS_PER_PAGE, type AuditEntry, type Query, type Reply, type auditLog } from "@millrace/contract";
import type { AdminDeps } from "./deps.ts";
import { paged } from "../../platform/postgres/paged.ts";

type Row = Omit<AuditEntry, "id" | "at"> & { id: string; at: Date };

// The log has only ids; names are looked up while the users exist.
const QUERY = {
  columns: `l.id, l.at, actor.email AS actor, person.email AS as_user, a.name AS account, l.action, l.subject, l.details,
    host(l.address) AS address`,
  from: `audit_log l LEFT JOIN users actor ON actor.id = l.actor_user_id
    LEFT JOIN users person ON person.id = l.as_user_id LEFT JOIN accounts a ON a.id = l.account_id
    WHERE $1 = '' OR strpos(l.action, lower($1)) > 0 OR strpos(actor.email, lower($1)) > 0
      OR strpos(person.email, lower($1)) > 0
      OR lower($1) IN (lower(l.subject), l.id::text, actor.uuid::text, person.uuid::text, a.uuid::text)`,
  orderBy: "l.id DESC",
};

/** The audit log, newest first, filtered by a part of the action or of an e-mail, or by an id of any object. */
export async function listActs(
  { pool }: Pick<AdminDeps, "pool">,
  { search, p }: Query<typeof auditLog>,
): Promise<Reply<typeof auditLog>> {
  const { rows, pager } = await paged<Row>(pool, QUERY, [search], { p, perPage: ADMIN_ROWS_PER_PAGE });
  return { entries: rows.map((row) => ({ ...row, id: Number(row.id), at: row.at.toISOString() })), pager };
}
