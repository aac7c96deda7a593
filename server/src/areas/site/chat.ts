import type { Reply, support } from "@millrace/contract";
import { createHmac } from "node:crypto";
import type { Settings } from "../../platform/settings.ts";
import type { Asker } from "./find-asker.ts";

type Chat = NonNullable<Reply<typeof support>["chat"]>;

/** What the chat is started with. The hash proves to Intercom that it is this user (Identity Verification). */
export const chatOf = ({ appId, secret }: NonNullable<Settings["intercom"]>, asker: Asker): Chat => ({
  app_id: appId,
  user_id: asker.uuid,
  user_hash: createHmac("sha256", secret).update(asker.uuid).digest("hex"),
  name: asker.name,
  email: asker.email,
  created_at: Math.floor(asker.createdAt.getTime() / 1000),
});
