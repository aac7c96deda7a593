import * as contract from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { paged } from "../../platform/postgres/paged.ts";
import { serve } from "../../platform/http/serve.ts";
import { answerSupport } from "./answer-support.ts";
import { askSupport } from "./ask-support.ts";
import { chatOf, findChatUser } from "./chat.ts";
import type { SupportDesk } from "./deps.ts";
import { DESK_LIST, type DeskRow, deskMessageOf, listOwnMessages } from "./message-store.ts";

export function supportRoutes(app: FastifyInstance, desk: SupportDesk): void {
  const { pool, settings } = desk;

  serve(app, contract.support, async ({ caller }) => {
    const { intercom } = settings;
    // Conversations are private: an impersonating admin can neither read nor write the user's.
    const user = intercom && !caller.is_switched ? await findChatUser(pool, caller.userId) : undefined;
    return { chat: intercom && user ? chatOf(intercom, user) : null };
  });

  serve(app, contract.askSupport, async ({ caller, query, body }) => ({
    message: await askSupport(desk, caller, { ...query, ...body }),
  }));

  serve(app, contract.supportMessages, async ({ caller }) => ({
    messages: caller.is_switched ? [] : await listOwnMessages(pool, caller.userId),
  }));

  serve(app, contract.deskMessages, async ({ query }) => {
    const { rows, pager } = await paged<DeskRow>(pool, DESK_LIST, [query.search], {
      p: query.p,
      perPage: contract.ADMIN_ROWS_PER_PAGE,
    });
    return { messages: rows.map(deskMessageOf), pager };
  });

  serve(app, contract.answerSupport, async ({ params, body, ...by }) => {
    await answerSupport(desk, by, params.id, body.reply);
    return { ok: 1 as const };
  });
}
