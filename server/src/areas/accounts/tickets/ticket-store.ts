import type { TicketType } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";

export interface Ticket {
  uuid: string;
  type: TicketType;
  email: string;
  userId: number | null;
  accountId: number | null;
  /** To be read by the schema of its type. */
  payload: unknown;
  expiresAt: Date;
  activatedAt: Date | null;
  /** A newer link of its kind has been mailed to the same person. */
  hasNewer: boolean;
}

/**
 * Only a link that was mailed makes an older one void: what is still on its way may turn out to go nowhere. Two accounts
 * that invite the same person do not disturb each other, nor does a stranger who signs up with somebody's e-mail, in a
 * browser of their own, void the link that its owner asked for.
 */
const HAS_NEWER = `EXISTS (
  SELECT FROM tickets n WHERE n.email = t.email AND n.type = t.type AND n.number > t.number AND n.salt_hash <> ''
  AND n.account_id IS NOT DISTINCT FROM t.account_id
  AND (t.type <> 'sign_up' OR n.payload->>'bindingHash' = t.payload->>'bindingHash'))`;
const TICKET = `t.uuid, t.type, t.email, t.user_id AS "userId", t.account_id AS "accountId", t.payload,
  t.expires_at AS "expiresAt", t.activated_at AS "activatedAt", ${HAS_NEWER} AS "hasNewer"`;

/** Keeps a ticket without a salt: no link opens it until it is mailed. Resolves to its UUID. */
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
 * Gives a ticket the salt of the link that is about to be mailed, and the user whom it is for. The user is held first, as
 * the deletion of an account does: the other way round, the two would wait for each other.
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

/** The name of an account that has not been deleted. */
export async function findAccountName(pool: Pool, accountId: number | null): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT name FROM accounts WHERE id = $1 AND deleted_at IS NULL",
    [accountId],
  );
  return rows[0]?.name;
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
 * Uses a ticket up, and empties it: of a password's hash nothing stays behind. Resolves to what was in it at that moment;
 * undefined where somebody else was faster, or it is too late, or a newer one was mailed.
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

/** All tickets of one type and e-mail, held until the transaction ends: of two that are used at a time, one waits. */
export async function lockTicketsLike(
  client: PoolClient,
  { type, email }: Pick<Ticket, "type" | "email">,
): Promise<void> {
  await client.query("SELECT FROM tickets WHERE email = $1 AND type = $2 ORDER BY number FOR UPDATE", [email, type]);
}

/** Ends all tickets of this type and e-mail, as one of them has done what they are for. Their links say just that. */
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

/** Ends what else could still change the user's password, and what is yet to be mailed for it. */
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

/** How long the link of a ticket that is over still says why it cannot be used. */
const TOLD_FOR = "7 days";

export async function deleteEndedTickets(pool: Pool, now: Date): Promise<void> {
  await pool.query(
    `DELETE FROM tickets
     WHERE expires_at <= $1 AND (salt_hash = '' OR expires_at <= $1::timestamptz - interval '${TOLD_FOR}')`,
    [now],
  );
  await pool.query("UPDATE tickets SET payload = '{}' WHERE expires_at <= $1 AND payload <> '{}'", [now]);
}
