import { hasMailbox } from "../../platform/mail/index.ts";
import type { DeskMessage, OwnSupportMessage, Role } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";

export interface NewMessage {
  /** Its UUID, if it is sent with a key. */
  keyUuid?: string | undefined;
  userId: number;
  accountId: number;
  visitorId: number | null;
  message: string;
  page: string;
  at: Date;
}

/** Keeps a message and returns its UUID. */
export async function insertMessage(client: PoolClient, message: NewMessage): Promise<string> {
  const { keyUuid, userId, accountId, visitorId, message: text, page, at } = message;
  const { rows } = await client.query<{ uuid: string }>(
    `INSERT INTO support_messages (user_id, account_id, visitor_id, message, page, created_at, uuid)
     VALUES ($1, $2, $3, $4, $5, $6, coalesce($7, gen_random_uuid())) RETURNING uuid`,
    [userId, accountId, visitorId, text, page, at, keyUuid],
  );
  if (!rows[0]) throw new Error("The message was not kept");
  return rows[0].uuid;
}

/** The number of a user's unanswered messages. */
export async function countOpenMessages(client: PoolClient, userId: number): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM support_messages WHERE user_id = $1 AND replied_at IS NULL",
    [userId],
  );
  return rows[0]?.n ?? 0;
}

/** The number of a user's messages on the support page. */
const OWN_MESSAGES_SHOWN = 50;

/** The messages that the user wrote, newest first. Messages that an impersonating admin wrote are the admin's. */
export async function listOwnMessages(pool: Pool, userId: number): Promise<OwnSupportMessage[]> {
  const { rows } = await pool.query<OwnRow>(
    `SELECT uuid, created_at, message, reply, replied_at FROM support_messages
     WHERE user_id = $1 AND visitor_id IS NULL ORDER BY id DESC LIMIT ${OWN_MESSAGES_SHOWN}`,
    [userId],
  );
  return rows.map(ownMessageOf);
}

interface OwnRow {
  uuid: string;
  created_at: Date;
  message: string;
  reply: string | null;
  replied_at: Date | null;
}

const ownMessageOf = ({ uuid, created_at, message, reply, replied_at }: OwnRow): OwnSupportMessage => ({
  uuid,
  created_at: created_at.toISOString(),
  message,
  state: replied_at === null ? "open" : "answered",
  reply,
  replied_at: replied_at?.toISOString() ?? null,
});

/** A message with what support needs to know about its writer. */
const FROM = `support_messages s JOIN users u ON u.id = s.user_id JOIN accounts a ON a.id = s.account_id
  LEFT JOIN memberships m ON m.user_id = s.user_id AND m.account_id = s.account_id
  LEFT JOIN users v ON v.id = s.visitor_id LEFT JOIN users r ON r.id = s.replied_by`;

const COLUMNS = `s.uuid, s.created_at, s.message, s.page, s.reply, s.replied_at, v.email AS visitor, r.email AS replied_by,
  u.uuid AS "writerUuid", concat_ws(' ', u.name, nullif(u.surname, '')) AS "writerName", u.email AS "writerEmail",
  coalesce(m.role, '') AS role, a.uuid AS "accountUuid", a.name AS "accountName"`;

export interface DeskRow extends OwnRow {
  page: string;
  visitor: string | null;
  replied_by: string | null;
  writerUuid: string;
  writerName: string;
  writerEmail: string;
  role: Role | "";
  accountUuid: string;
  accountName: string;
}

export const deskMessageOf = (row: DeskRow): DeskMessage => ({
  ...ownMessageOf(row),
  page: row.page,
  writer: { uuid: row.writerUuid, name: row.writerName, email: row.writerEmail, role: row.role },
  account: { uuid: row.accountUuid, name: row.accountName },
  visitor: row.visitor,
  has_mailbox: hasMailbox(row.visitor ?? row.writerEmail),
  replied_by: row.replied_by,
});

/** The admins' list, for `paged`: unanswered messages first, the longest waiting on top; then the latest answers. */
export const DESK_LIST = {
  columns: COLUMNS,
  from: `${FROM} WHERE $1 = '' OR strpos(lower(s.message), lower($1)) > 0 OR strpos(u.email, lower($1)) > 0
      OR strpos(lower(u.name), lower($1)) > 0 OR lower($1) IN (s.uuid::text, u.uuid::text, a.uuid::text)`,
  orderBy: "s.replied_at IS NOT NULL, CASE WHEN s.replied_at IS NULL THEN s.created_at END, s.replied_at DESC, s.id",
};

export async function findMessage(db: Pool | PoolClient, uuid: string): Promise<DeskRow | undefined> {
  const { rows } = await db.query<DeskRow>(`SELECT ${COLUMNS} FROM ${FROM} WHERE s.uuid = $1`, [uuid]);
  return rows[0];
}

/**
 * Stores the answer of an unanswered message and returns the account it came from. Undefined if it is answered or gone.
 */
export async function setReply(
  client: PoolClient,
  uuid: string,
  { reply, at, by }: { reply: string; at: Date; by: number },
): Promise<number | undefined> {
  const { rows } = await client.query<{ accountId: number }>(
    `UPDATE support_messages SET reply = $2, replied_at = $3, replied_by = $4
     WHERE uuid = $1 AND replied_at IS NULL RETURNING account_id AS "accountId"`,
    [uuid, reply, at, by],
  );
  return rows[0]?.accountId;
}
