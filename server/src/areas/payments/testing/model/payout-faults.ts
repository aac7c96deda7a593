import { type Fault, instead, toNobody, trigger } from "./fault.ts";

/** Faults of paying publishers. */
export const PAYOUT_FAULTS: readonly Fault[] = [
  {
    name: "a payout that takes its money from nobody",
    breaks: ["nothing is negative that may not be", "the header is the ledger's balance"],
    sql: trigger("untaken", "ledger_lines", toNobody("payout")),
  },
  {
    name: "a second payout of the same month",
    breaks: ["one payout for a publisher and month"],
    sql: "ALTER TABLE payouts DROP CONSTRAINT payouts_account_id_period_key",
    // Under an id of its own.
    rewrite: (text) =>
      text
        .replace("VALUES ($8, $1,", "VALUES (CASE WHEN $8::uuid IS NOT NULL THEN gen_random_uuid() END, $1,")
        .replace("ON CONFLICT (account_id, period) DO NOTHING ", ""),
  },
  {
    name: "a payout of what was earned after its month",
    breaks: ["a payout is what was owed"],
    rewrite: instead("coalesce(s.micros, 0), t.micros - coalesce(s.of_later_days, 0)", "0"),
  },
  {
    name: "new sales that make up for what was taken",
    among: ["traffic", "accrual", "adjustment", "pay", "days"],
    breaks: ["a payout is what was owed"],
    rewrite: instead(", t.micros - coalesce(s.of_later_days, 0)", ""),
  },
  {
    name: "a payout of what was taken since",
    among: ["adjustment", "pay"],
    breaks: ["a payout is what was owed"],
    rewrite: (text) => text.replace(/least\((t.micros), (\1 - coalesce\(s.micros, 0\)).*\) AS/, "$2 AS"),
  },
  {
    name: "payouts in spite of differences",
    among: ["traffic", "reconciliation", "pay", "days"],
    breaks: ["a payout is what was owed"],
    rewrite: instead("d.account_id = a.id AND d.day < $1", "false"),
  },
  {
    name: "an order that is not stored before it is sent",
    among: ["pay", "follow", "days"],
    breaks: ["a payout is ordered once", "what is paid here is paid at the provider"],
    rewrite: instead("SET state = 'sending', changed_at", "SET state = 'due', changed_at"),
  },
  {
    name: "a lost reply that is taken for a refused connection",
    among: ["pay", "follow", "days"],
    breaks: ["a payout is ordered once", "what is paid here is paid at the provider"],
    provider: (provider) => ({
      ...provider,
      pay: async (order) => {
        const said = await provider.pay(order);
        return said.is === "unknown" ? { is: "unreached" } : said;
      },
    }),
  },
  {
    name: "an order that the provider does not know, given back",
    among: ["pay", "follow", "callBack", "days"],
    breaks: ["what is paid here is paid at the provider"],
    provider: (provider) => ({
      ...provider,
      ask: async (payoutId) => {
        const standing = await provider.ask(payoutId);
        return standing.is === "unknown" ? { is: "rejected", reason: "No such order" } : standing;
      },
    }),
  },
  {
    name: "a rejected payout whose money does not come back",
    among: ["pay", "follow", "bank", "days"],
    breaks: ["nothing is negative that may not be", "the header is the ledger's balance"],
    sql: trigger("kept", "ledger_lines", toNobody("payout_returned")),
  },
];
