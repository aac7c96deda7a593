import { randomBytes } from "node:crypto";
import type { NextPayment } from "@millrace/contract";
import { escapeHtml } from "@millrace/openrtb";
import { formatDay, formatMoney, formatMonth } from "@millrace/units";
import type { FastifyReply } from "fastify";
import { fontFace } from "../../../platform/brand.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { type ReadDeps, readNextPayment } from "./read-payouts.ts";
import { FRAME_SCRIPT, FRAME_STYLE } from "./sandbox-frame-files.ts";

/** An address that opens nothing any more: its ticket has expired, or its payee is deleted. */
export const frameIsGone = () =>
  new Problem("gone", "This address has expired. Please reload the page of your payments");

export interface FrameDeps extends ReadDeps {
  /** The path of the dashboard's font; null if the dashboard is not built. */
  fontPath: string | null;
}

/** Serves the built-in provider's frame: how the payee is paid, a form to change it, and the next payment. */
export async function sendSandboxFrame(deps: FrameDeps, payeeId: string, reply: FastifyReply): Promise<FastifyReply> {
  const { rows } = await deps.pool.query<{ accountId: number; method: string | null }>(
    `SELECT account_id AS "accountId", method FROM payees WHERE payee_id = $1`,
    [payeeId],
  );
  const [payee] = rows;
  if (!payee) throw frameIsGone();
  const nonce = randomBytes(16).toString("base64");
  const next = nextPaymentText(await readNextPayment(deps, payee.accountId));
  return reply
    .headers({
      "content-security-policy": `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; ${deps.fontPath === null ? "" : "font-src 'self'; "}connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
      "x-frame-options": "SAMEORIGIN",
      "cross-origin-resource-policy": "same-origin",
      // The address opens the details.
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    })
    .type("text/html; charset=utf-8")
    .send(framePage({ method: payee.method, next, nonce, fontPath: deps.fontPath }));
}

/** One sentence about the next payment, which may be nothing. */
export function nextPaymentText({ minimum, next }: Pick<NextPayment, "minimum" | "next">): string {
  const { month, amount, on, month_is_over: isOver, blocks } = next;
  if (isOver && amount < 0)
    return `Nothing is paid for ${formatMonth(month)}: ${formatMoney(-amount)} more was taken from your balance than you were owed by then.`;
  const what = `${formatMoney(amount)}${isOver ? "" : " so far"} for ${formatMonth(month)}`;
  if (blocks.includes("below_minimum")) return `${what} stays on your balance and is paid with a later month.`;
  const when = `${blocks.length === 0 ? "on" : "due on"} ${formatDay(on)}`;
  const condition = isOver || amount >= minimum ? "" : `, if it comes to ${formatMoney(minimum)}`;
  return `Next payment: ${what}, ${when}${condition}.`;
}

interface Frame {
  method: string | null;
  next: string;
  nonce: string;
  fontPath: string | null;
}

const framePage = ({ method, next, nonce, fontPath }: Frame): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Payout details</title>
<style nonce="${nonce}">${fontPath === null ? "" : fontFace(fontPath)}${FRAME_STYLE}</style>
</head>
<body>
<main>
<p>Payout method: <strong id="method">${method === null ? "none yet" : escapeHtml(method)}</strong></p>
<p>${escapeHtml(next)}</p>
<form novalidate>
<fieldset>
<legend>Method</legend>
<label><input type="radio" name="method" value="bank" checked> Bank transfer</label>
<label><input type="radio" name="method" value="paypal"> PayPal</label>
</fieldset>
<label class="field">Account holder
<input name="holder" autocomplete="name" maxlength="100" aria-describedby="holder-error"></label>
<p class="error" id="holder-error" role="alert"></p>
<label class="field"><span id="account-label">IBAN</span>
<input name="account" autocomplete="off" spellcheck="false" maxlength="254" aria-describedby="account-error"></label>
<p class="error" id="account-error" role="alert"></p>
<button type="submit">Save payout details</button>
<p id="done" role="status"></p>
</form>
</main>
<script nonce="${nonce}">${FRAME_SCRIPT}</script>
</body>
</html>
`;
