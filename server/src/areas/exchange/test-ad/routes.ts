import { testAd } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../../platform/http/serve.ts";
import { throttle } from "../../../platform/http/throttle.ts";
import { clientOf } from "../http/client.ts";
import { sendTestAd, type TestAdDeps } from "./send-test-ad.ts";

const LIMIT = { tries: 20, windowSeconds: 60 };

/** Test ads for the dashboard, limited by account, because each is sent to every partner. */
export function testAdRoutes(app: FastifyInstance, deps: TestAdDeps): void {
  const sent = throttle(LIMIT, "Please wait a moment before you send another test ad");
  serve(app, testAd, async ({ params, body, caller, request }) => {
    await sent.take(caller.accountId);
    return sendTestAd(deps, { reach: caller, uuid: params.id, client: clientOf(request) }, body);
  });
}
