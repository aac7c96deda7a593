import type { Pool } from "pg";
import type { Log } from "../../../platform/log.ts";
import { CENT } from "../ledger.ts";
import type { Ordered, PayoutOrder, PayoutProvider, Standing } from "./provider.ts";
import { type Element, listOf, textOf } from "./soap-message.ts";
import { type TipaltiAccount, callTipalti, errorCodeOf, signature, unixSeconds } from "./tipalti-calls.ts";
import { idapOf, refCodeOf } from "./tipalti-ids.ts";
import { Unreached } from "./tipalti-post.ts";

export interface TipaltiDeps extends TipaltiAccount {
  pool: Pool;
  log: Log;
}

/** Tipalti: its frame takes the details, and its SOAP services take orders and say what became of them. */
export function tipaltiProvider(deps: TipaltiDeps): PayoutProvider {
  const { pool, payer, key, hosts, clock, log } = deps;
  const methodOf = async (payeeId: string): Promise<string | null> => {
    const idap = idapOf(payeeId);
    const result = await callTipalti(deps, {
      service: "PayeeFunctions",
      name: "GetExtendedPayeeDetails",
      idap,
      parameters: (by) => [
        ["payerName", by.payer],
        ["timestamp", by.time],
        ["key", by.key],
        ["idap", idap],
      ],
    });
    return methodIn(result);
  };
  const standingOf = async (payoutId: string, payeeId: string): Promise<Standing> => {
    const [idap, refCode] = [idapOf(payeeId), refCodeOf(payoutId)];
    const result = await callTipalti(deps, {
      service: "PayeeFunctions",
      name: "GetPODetails",
      idap,
      extra: refCode,
      parameters: (by) => [
        ["payerName", by.payer],
        ["idap", idap],
        ["timestamp", by.time],
        ["key", by.key],
        ["poRefCode", refCode],
      ],
    });
    return standingIn(result, refCode);
  };
  return {
    id: "tipalti",
    frameOrigin: hosts.frame,
    async frameAddress({ payeeId, email }) {
      const query = new URLSearchParams({ payer, idap: idapOf(payeeId), ts: unixSeconds(clock), email }).toString();
      return `${hosts.frame}/payeedashboard/home?${query}&hashkey=${signature(key, query)}`;
    },
    methodOf,
    async pay(order) {
      // Claims are made in whole cents.
      if (order.amountMicros % CENT !== 0n) return { is: "refused", reason: "Tipalti pays whole cents" };
      try {
        // Asked first: a wrong key or an outage that shows here leaves the payout due, instead of an order in doubt.
        await methodOf(order.payeeId);
        // Before a backup was restored it may have been ordered already.
        const standing = await standingOf(order.payoutId, order.payeeId);
        if (standing.is === "rejected") return { is: "refused", reason: standing.reason };
        if (standing.is !== "unknown") return { is: "accepted", reference: standing.reference };
      } catch (error) {
        log.warn({ err: error, payout: order.payoutId }, "Tipalti does not answer, so nothing is ordered");
        return { is: "unreached" };
      }
      try {
        return orderedIn(await processPayment(deps, order), refCodeOf(order.payoutId));
      } catch (error) {
        log.warn({ err: error, payout: order.payoutId }, "Tipalti has not confirmed an order");
        return { is: error instanceof Unreached ? "unreached" : "unknown" };
      }
    },
    async ask(payoutId) {
      const { rows } = await pool.query<{ payeeId: string }>(
        `SELECT payee_id AS "payeeId" FROM payouts WHERE id = $1`,
        [payoutId],
      );
      return rows[0] ? standingOf(payoutId, rows[0].payeeId) : { is: "unknown" };
    },
  };
}

/** `120.05` */
function dollarsText(amountMicros: bigint): string {
  const cents = String(amountMicros / CENT).padStart(3, "0");
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`;
}

function processPayment(deps: TipaltiDeps, { payoutId, payeeId, amountMicros, month }: PayoutOrder): Promise<Element> {
  // By this title an admin finds the payout in Tipalti's list.
  const title = `${month} ${payoutId.slice(0, 8)}`;
  return callTipalti(deps, {
    service: "PayerFunctions",
    name: "ProcessPayments",
    extra: title,
    parameters: (by) => [
      ["payerName", by.payer],
      ["paymentGroupTitle", title],
      [
        "tipaltiPaymentsOrders",
        [
          [
            "TipaltiPaymentOrderItem",
            [
              ["Idap", idapOf(payeeId)],
              ["Amount", dollarsText(amountMicros)],
              ["RefCode", refCodeOf(payoutId)],
              ["Currency", "USD"],
            ],
          ],
        ],
      ],
      ["timeStamp", by.time],
      ["key", by.key],
    ],
  });
}

/** These are final: Tipalti neither sends such a payment nor tries it again. */
const REJECTED = new Set(["rejected", "deferred", "deferredinternal", "canceled", "cancelled"]);
const PAID = new Set(["paid", "cleared"]);

/** What a payment's status means; one that is not known may become anything. */
function meaningOf(status: string): "paid" | "rejected" | "pending" {
  const name = status.toLowerCase().replaceAll(/[^a-z]/g, "");
  if (PAID.has(name)) return "paid";
  return REJECTED.has(name) ? "rejected" : "pending";
}

/** An error that says that there may be such a payment already, or nothing at all. */
const IN_DOUBT = /duplicat|already|unknown ?error/i;

/** What a reply says of the one payment that was ordered; everything that is not clear is `unknown`. */
function orderedIn(result: Element, refCode: string): Ordered {
  const lines = listOf(result, "linesResults").filter((line) => isCode(textOf(line, "refCode"), refCode));
  const [line] = lines;
  if (!line || lines.length > 1) return { is: "unknown" };
  const [lineStatus, status, message] = [
    textOf(line, "status"),
    textOf(line, "paymentOrderStatus"),
    textOf(line, "message"),
  ];
  const isRejected = meaningOf(status) === "rejected";
  if (lineStatus === "Error" && (status === "" || isRejected) && !IN_DOUBT.test(message))
    return { is: "refused", reason: reasonText(message || status) };
  if ((lineStatus !== "OK" && lineStatus !== "Warning") || errorCodeOf(result) !== "OK" || status === "")
    return { is: "unknown" };
  return isRejected ? { is: "refused", reason: reasonText(message || status) } : { is: "accepted", reference: refCode };
}

function standingIn(result: Element, refCode: string): Standing {
  if (errorCodeOf(result) !== "OK" || !isCode(textOf(result, "RefCode"), refCode)) return { is: "unknown" };
  const status = textOf(result, "POStatus");
  const meaning = meaningOf(status);
  if (meaning !== "rejected") return { is: meaning, reference: refCode };
  const messages = listOf(result, "ErrorMessages").flatMap(({ text }) => text || []);
  return { is: "rejected", reason: reasonText(messages.join(". ") || status) };
}

const isCode = (given: string, refCode: string) => given.toUpperCase() === refCode;

/** In one line, as it is shown to the publisher. */
const reasonText = (text: string): string =>
  `Tipalti: ${text.replaceAll(/[\s\p{Cc}]+/gu, " ").slice(0, 300) || "no reason given"}`;

/** The payee's method in Tipalti's words, such as `Wire Transfer`; null until it can be paid. */
function methodIn(result: Element): string | null {
  const code = errorCodeOf(result);
  if (code === "PayeeUnknown") return null;
  if (code !== "OK") throw new Error(`The payee's details were answered with the code ${code}`);
  const properties = new Map(
    listOf(result, "Properties").map((pair) => [textOf(pair, "Key"), textOf(pair, "Value")] as const),
  );
  const [payable, method] = [properties.get("Payable"), properties.get("PaymentMethod")];
  if (payable === undefined || method === undefined) throw new Error("The payee's details are incomplete");
  return payable.toLowerCase() === "true" && method !== "" && method !== "NoPM" ? method.slice(0, 60) : null;
}
