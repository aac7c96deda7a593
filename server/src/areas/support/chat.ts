import { createHmac } from "node:crypto";
import type { Reply, support } from "@millrace/contract";
import type { Pool } from "pg";
import type { Settings } from "../../platform/settings.ts";

type Chat = NonNullable<Reply<typeof support>["chat"]>;

interface ChatUser {
  uuid: string;
  name: string;
  email: string;
  createdAt: Date;
}

export async function findChatUser(pool: Pool, userId: number): Promise<ChatUser | undefined> {
  const { rows } = await pool.query<ChatUser>(
    `SELECT uuid, concat_ws(' ', name, nullif(surname, '')) AS name, email, created_at AS "createdAt"
     FROM users WHERE id = $1`,
    [userId],
  );
  return rows[0];
}

/** The chat's start data. The hash proves the user's identity to Intercom (Identity Verification). */
export const chatOf = ({ appId, secret }: NonNullable<Settings["intercom"]>, user: ChatUser): Chat => ({
  app_id: appId,
  user_id: user.uuid,
  user_hash: createHmac("sha256", secret).update(user.uuid).digest("hex"),
  name: user.name,
  email: user.email,
  created_at: Math.floor(user.createdAt.getTime() / 1000),
});
