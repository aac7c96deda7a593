import * as contract from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { Problem } from "../../platform/http/problem.ts";
import { serve } from "../../platform/http/serve.ts";
import { throttle } from "../../platform/http/throttle.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { paged } from "../../platform/postgres/paged.ts";
import { recordAct } from "../audit/index.ts";
import type { News } from "./deps.ts";
import { NEWS_LIST, type NewsRow, countSubscribers, endSubscription, newsMailOf } from "./news-store.ts";
import { sendNews, sendNewsAgain } from "./send-news.ts";

/** A person clicks once or twice; a mail program tries again. */
const CLICKS_PER_LINK = { tries: 20, windowSeconds: 60 };

export function newsRoutes(app: FastifyInstance, news: News): void {
  const { pool, clock, links } = news;
  const clicks = throttle(CLICKS_PER_LINK);

  serve(app, contract.newsMails, async ({ query: { search, p } }) => {
    const { rows, pager } = await paged<NewsRow>(pool, NEWS_LIST, [search], {
      p,
      perPage: contract.ADMIN_ROWS_PER_PAGE,
    });
    return { news: rows.map(newsMailOf), subscribers: await countSubscribers(pool), pager };
  });

  serve(app, contract.sendNews, async ({ body, ...by }) => ({ people: await sendNews(news, by, body) }));

  serve(app, contract.sendNewsAgain, async ({ params, body, ...by }) => ({
    people: await sendNewsAgain(news, by, { uuid: params.id, ...body }),
  }));

  void app.register(async (scope) => {
    // RFC 8058, 3.2: a mail program posts a form. Its only field adds nothing to the address, so the body is ignored.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string" }, (_request, _body, done) => done(null, undefined));
    serve(scope, contract.unsubscribe, async ({ params, request }) => {
      const userUuid = links.read(params.link);
      if (userUuid === null) {
        await scope.callLimits?.takeAddress(request);
        throw new Problem("not_found", "This unsubscribe link is not valid");
      }
      await clicks.take(userUuid);
      await inTransaction(pool, async (client) => {
        const userId = await endSubscription(client, userUuid);
        if (userId !== undefined)
          await recordAct({ pool: client, clock }, { request }, { action: "unsubscribed", subject: userUuid, userId });
      });
      // A deleted user and a second click get the same reply.
      return { ok: 1 as const };
    });
  });
}
