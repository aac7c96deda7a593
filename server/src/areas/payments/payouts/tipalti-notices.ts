import * as contract from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import { serve } from "../../../platform/http/serve.ts";
import { refreshPayouts } from "./order-payouts.ts";
import { checkPayees } from "./payees.ts";
import type { RunDeps } from "./run-payouts.ts";
import { type TipaltiAccount, isTipaltisNotice } from "./tipalti-calls.ts";
import { payeeIdOf, payoutIdsOf } from "./tipalti-ids.ts";

export type NoticeDeps = RunDeps & { tipalti: TipaltiAccount | undefined };

/** Strangers make notices up, and each is sent to Tipalti. */
const MOST_AT_ONCE = 8;
const RETRY_SECONDS = 60;
/** A notice is about one payment, or about a group of them; this platform's groups have one. */
const MOST_VALUES = 100;

/**
 * Takes Tipalti's notices. None is believed: once Tipalti confirms that it has sent one, whatever the notice names is asked about. So it
 * does not matter whether a notice is late, repeated or out of order.
 */
export function tipaltiNoticeRoute(app: FastifyInstance, deps: NoticeDeps): void {
  const { tipalti, log } = deps;
  let underWay = 0;
  void app.register(async (scope) => {
    // It is sent back byte by byte.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    serve(scope, contract.tipaltiNotice, async ({ request }) => {
      const { body } = request;
      if (!tipalti || !Buffer.isBuffer(body)) {
        await scope.callLimits?.takeAddress(request);
        throw new Problem("invalid", tipalti ? "A notice is a form" : "Tipalti does not pay here");
      }
      if (underWay >= MOST_AT_ONCE) throw later();
      underWay++;
      try {
        const isTrue = await isTipaltisNotice(tipalti, body).catch((error: unknown) => {
          log.warn({ err: error }, "Tipalti has not said whether a notice is its own");
          throw later();
        });
        if (!isTrue) {
          await scope.callLimits?.takeAddress(request);
          throw new Problem("invalid", "Tipalti has not sent this notice");
        }
        if (!(await refreshNamed(deps, body.toString("utf8")))) throw later();
        return { ok: 1 as const };
      } finally {
        underWay--;
      }
    });
  });
}

/** Tipalti sends it again. */
const later = () =>
  new Problem("unavailable", "Please send this notice again later", { retryAfterSeconds: RETRY_SECONDS });

/**
 * Asks about each payment and payee that a notice names, in whichever field. Resolves with whether Tipalti has answered every
 * question.
 */
async function refreshNamed(deps: NoticeDeps, notice: string): Promise<boolean> {
  const { pool, provider } = deps;
  let isAnswered = true;
  for (const value of [...new Set(new URLSearchParams(notice).values())].slice(0, MOST_VALUES)) {
    const ids = payoutIdsOf(value);
    const payouts = ids
      ? await pool.query<{ id: string }>("SELECT id FROM payouts WHERE provider = $1 AND id BETWEEN $2 AND $3", [
          provider.id,
          ids.first,
          ids.last,
        ])
      : { rows: [] };
    for (const { id } of payouts.rows) isAnswered = (await refreshPayouts(deps, id)) && isAnswered;
    const payeeId = payeeIdOf(value);
    const payees = payeeId
      ? await pool.query<{ accountId: number }>(`SELECT account_id AS "accountId" FROM payees WHERE payee_id = $1`, [
          payeeId,
        ])
      : { rows: [] };
    for (const { accountId } of payees.rows) isAnswered = (await checkPayees(deps, accountId)) && isAnswered;
  }
  return isAnswered;
}
