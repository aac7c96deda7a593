import { type Platform, type TicketType, appNames } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";

export interface Ticket {
  uuid: string;
  type: TicketType;
  email: string;
  userId: number | null;
  accountId: number | null;
  /** Parsed with the schema of its type. */
  payload: unknown;
  expiresAt: Date;
  activatedAt: Date | null;
  /** A newer link of this type was mailed to the same person. */
  hasNewer: boolean;
}

/**
 * Only a mailed link voids an older one, because a pending mail may never be sent. Invitations by two accounts do not
 * affect each other. Nor does a stranger's sign-up in another browser void the link that the e-mail's owner asked for.
 */
const HAS_NEWER = `EXISTS (
  SELECT FROM tickets n WHERE n.email = t.email AND n.type = t.type AND n.number > t.number AND n.salt_hash <> ''
  AND n.account_id IS NOT DISTINCT FROM t.account_id
  AND (t.type <> 'sign_up' OR n.payload->>'bindingHash' = t.payload->>'bindingHash'))`;
const TICKET = `t.uuid, t.type, t.email, t.user_id AS "userId", t.account_id AS "accountId", t.payload,
  t.expires_at AS "expiresAt", t.activated_at AS "activatedAt", ${HAS_NEWER} AS "hasNewer"`;

/** Stores a ticket without a salt, so that no link opens it until it is mailed. Returns its UUID. */
export async function insertTicket(
  pool: Pool | PoolClient,
  ticket: {
    type: TicketType;
    email: string;
    userId: number | null;
    accountId: number | null;
    payload: object;
    createdAt: Date;
    expiresAt: Date;
  },
): Promise<string> {
  const { rows } = await pool.query<{ uuid: string }>(
    `INSERT INTO tickets (salt_hash, type, email, user_id, account_id, payload, created_at, expires_at)
     VALUES ('', $1, lower($2), $3, $4, $5, $6, $7) RETURNING uuid`,
    [
      ticket.type,
      ticket.email,
      ticket.userId,
      ticket.accountId,
      JSON.stringify(ticket.payload),
      ticket.createdAt,
      ticket.expiresAt,
    ],
  );
  if (!rows[0]) throw new Error("The ticket was not kept");
  return rows[0].uuid;
}

/** A ticket that still waits to be used, for the job that mails it. */
export async function findWaitingTicket(pool: Pool, uuid: string, now: Date): Promise<Ticket | undefined> {
  const { rows } = await pool.query<Ticket>(
    `SELECT ${TICKET} FROM tickets t WHERE t.uuid = $1 AND t.activated_at IS NULL AND t.expires_at > $2`,
    [uuid, now],
  );
  return rows[0];
}

/**
 * Sets the salt of the link that is about to be mailed, and its user. Locks the user first, as the deletion of an
 * account does; the opposite order would deadlock.
 */
export async function setTicketSalt(
  pool: Pool,
  uuid: string,
  { saltHash, userId }: { saltHash: string; userId: number | null },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const held = await client.query<{ id: number }>("SELECT id FROM users WHERE id = $1 FOR KEY SHARE", [userId]);
    await client.query("UPDATE tickets SET salt_hash = $2, user_id = coalesce($3, user_id) WHERE uuid = $1", [
      uuid,
      saltHash,
      held.rows[0]?.id ?? null,
    ]);
  });
}

/** The name of an account that is not deleted. */
export async function findAccountName(pool: Pool, accountId: number | null): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT name FROM accounts WHERE id = $1 AND deleted_at IS NULL",
    [accountId],
  );
  return rows[0]?.name;
}

/** What to call these apps of the account, in the order of their names. */
export async function findAppNames(pool: Pool, accountId: number | null, appIds: readonly number[]): Promise<string[]> {
  const { rows } = await pool.query<{ app_id: number; name: string; platform: Platform }>(
    "SELECT id AS app_id, name, platform FROM apps WHERE account_id = $1 AND id = ANY($2) AND deleted_at IS NULL ORDER BY name, id",
    [accountId, appIds],
  );
  return [...appNames(rows).values()];
}

export async function deleteTicket(pool: Pool, uuid: string): Promise<void> {
  await pool.query("DELETE FROM tickets WHERE uuid = $1", [uuid]);
}

export async function findTicketByLink(
  pool: Pool,
  link: { uuid: string; saltHash: string },
): Promise<Ticket | undefined> {
  const { rows } = await pool.query<Ticket>(`SELECT ${TICKET} FROM tickets t WHERE t.uuid = $1 AND t.salt_hash = $2`, [
    link.uuid,
    link.saltHash,
  ]);
  return rows[0];
}

/**
 * Uses a ticket up and clears its payload, so that no password hash is left. Returns the payload; undefined if it was
 * used, has expired, or was replaced by a newer link.
 */
export async function claimTicket(
  client: PoolClient,
  uuid: string,
  now: Date,
): Promise<{ payload: unknown } | undefined> {
  const { rows } = await client.query<{ payload: unknown }>(
    `WITH held AS (
       SELECT t.uuid, t.payload FROM tickets t
       WHERE t.uuid = $1 AND t.activated_at IS NULL AND t.expires_at > $2 AND NOT ${HAS_NEWER} FOR UPDATE
     )
     UPDATE tickets t SET activated_at = $2, payload = '{}' FROM held WHERE t.uuid = held.uuid RETURNING held.payload`,
    [uuid, now],
  );
  return rows[0];
}

/** Locks all tickets of one type and e-mail until the transaction ends, so that concurrent uses are serialized. */
export async function lockTicketsLike(
  client: PoolClient,
  { type, email }: Pick<Ticket, "type" | "email">,
): Promise<void> {
  await client.query("SELECT FROM tickets WHERE email = $1 AND type = $2 ORDER BY number FOR UPDATE", [email, type]);
}

/** Ends all tickets of this type and e-mail once one has done their work; their links report it. */
export async function endTicketsLike(
  client: PoolClient,
  { type, email }: Pick<Ticket, "type" | "email">,
  at: Date,
): Promise<void> {
  await client.query(
    "UPDATE tickets SET activated_at = $3, payload = '{}' WHERE email = $1 AND type = $2 AND activated_at IS NULL",
    [email, type, at],
  );
}

/** Ends every other ticket that could change the user's password, mailed or not. */
export async function endPasswordTickets(
  client: PoolClient,
  user: { id: number; email: string },
  now: Date,
): Promise<void> {
  await client.query(
    `UPDATE tickets SET expires_at = $3, payload = '{}'
     WHERE (user_id = $1 OR email = $2) AND type IN ('reset_pass', 'change_pass')
       AND activated_at IS NULL AND expires_at > $3`,
    [user.id, user.email, now],
  );
}

/** How long an ended ticket's link still reports why it cannot be used. */
const TOLD_FOR = "7 days";

export async function deleteEndedTickets(pool: Pool, now: Date): Promise<void> {
  await pool.query(
    `DELETE FROM tickets
     WHERE expires_at <= $1 AND (salt_hash = '' OR expires_at <= $1::timestamptz - interval '${TOLD_FOR}')`,
    [now],
  );
  await pool.query("UPDATE tickets SET payload = '{}' WHERE expires_at <= $1 AND payload <> '{}'", [now]);
}
