import { type Fault, instead, trigger } from "./fault.ts";
import { PAYOUT_FAULTS } from "./payout-faults.ts";

/** All faults that are planted. */
export const FAULTS: readonly Fault[] = [
  ...PAYOUT_FAULTS,
  {
    name: "a line that loses a micro-dollar",
    breaks: ["debits equal credits"],
    sql: `DROP TRIGGER ledger_lines_balance ON ledger_lines; ${trigger(
      "losing",
      "ledger_lines",
      "IF NEW.book = 'platform_fees' THEN NEW.amount_micros := NEW.amount_micros - 1; END IF; RETURN NEW;",
    )}`,
  },
  {
    name: "a header that counts payouts on their way",
    breaks: ["the header is the ledger's balance"],
    rewrite: instead(
      "AND book = 'publisher_balance' GROUP BY",
      "AND book IN ('publisher_balance', 'payouts_due') GROUP BY",
    ),
  },
  {
    name: "a deduction from another publisher's balance",
    among: ["note", "dispute", "answer"],
    breaks: ["the header is the ledger's balance"],
    sql: trigger(
      "misdirected",
      "ledger_lines",
      `IF NEW.book = 'publisher_balance' AND EXISTS (SELECT FROM ledger_postings WHERE id = NEW.posting_id AND kind = 'deduction')
       THEN NEW.account_id := (SELECT min(account_id) FROM payees WHERE account_id <> NEW.account_id); END IF; RETURN NEW;`,
    ),
  },
  {
    name: "a finance report without deductions",
    among: ["note", "dispute", "answer"],
    breaks: ["the finance report ends at the header's balance"],
    rewrite: instead("p.on_day BETWEEN $4 AND $5 GROUP", "p.on_day BETWEEN $4 AND $5 AND p.kind <> 'deduction' GROUP"),
  },
  {
    name: "a finance report that opens a day late",
    among: ["traffic", "accrual", "days"],
    breaks: ["the finance report ends at the header's balance"],
    rewrite: instead("p.on_day < $4", "p.on_day <= $4"),
  },
  {
    name: "a balance history without what was given back",
    among: ["refill", "ads", "unproven", "days"],
    breaks: ["the balance history adds up to the campaign balance"],
    rewrite: instead(
      "l.book = 'campaign_balance'\n    UNION",
      "l.book = 'campaign_balance' AND p.kind <> 'return'\n    UNION",
    ),
  },
  {
    name: "a credit that is booked as if money had arrived",
    among: ["credit", "days"],
    breaks: ["what is paid here is paid at the provider"],
    sql: trigger(
      "received",
      "ledger_lines",
      `IF NEW.book = 'adjustments' AND EXISTS (SELECT FROM ledger_postings WHERE id = NEW.posting_id AND kind = 'advertiser_credit')
       THEN NEW.book := 'cash'; END IF; RETURN NEW;`,
    ),
  },
  {
    name: "a credit that is taken back though it is spent",
    among: ["credit", "credit", "ads"],
    breaks: ["a campaign spends no more than the balance"],
    rewrite: instead("SELECT ledger_balance($1) - spent_micros", "SELECT ledger_balance($1)"),
  },
  {
    name: "campaigns that spend a dollar more than there is",
    among: ["refill", "ads", "days"],
    breaks: ["a campaign spends no more than the balance"],
    sql: `CREATE OR REPLACE FUNCTION ledger_balance(of_account integer) RETURNS bigint LANGUAGE sql STABLE AS $$
      SELECT coalesce(-sum(amount_micros), 0)::bigint + 1000000 FROM ledger_lines
      WHERE account_id = of_account AND book = 'campaign_balance' $$`,
  },
  {
    name: "a lease that is never given back",
    among: ["refill", "ads"],
    breaks: ["nothing is negative that may not be"],
    sql: `CREATE OR REPLACE FUNCTION shrink_leases(of_leases text[], held_micros bigint[]) RETURNS void LANGUAGE sql AS $$ $$;
      CREATE FUNCTION keep_leased() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN NEW.leased_micros := greatest(NEW.leased_micros, OLD.leased_micros); RETURN NEW; END $$;
      CREATE TRIGGER keep_leased BEFORE UPDATE ON account_budgets FOR EACH ROW EXECUTE FUNCTION keep_leased()`,
  },
  {
    name: "an accrual in a month that is closed",
    among: ["traffic", "accrual", "pay", "days"],
    breaks: ["a closed month never changes"],
    sql: "DROP TRIGGER ledger_postings_in_open_months ON ledger_postings",
    rewrite: instead(
      "SELECT FROM closed_months WHERE month = date_trunc('month', $1::date)",
      "SELECT WHERE $1::date IS NULL",
    ),
  },
  {
    name: "a month that is paid and stays open",
    breaks: ["a closed month never changes"],
    rewrite: instead(
      "INSERT INTO closed_months (month, closed_at) VALUES ($1, $2)",
      "INSERT INTO closed_months SELECT $1::date, $2::timestamptz WHERE false",
    ),
  },
  {
    name: "a posting that is changed afterwards",
    among: ["adjustment", "refill"],
    breaks: ["nothing that is booked changes"],
    sql: `DROP TRIGGER ledger_lines_are_append_only ON ledger_lines; ${trigger(
      "changing",
      "ledger_postings",
      `IF NEW.kind <> 'accrual' THEN
         UPDATE ledger_lines SET amount_micros = -amount_micros WHERE posting_id = NEW.id - 1;
       END IF; RETURN NEW;`,
    )}`,
  },
  {
    name: "a refused adjustment that is reported as done",
    among: ["adjustment", "days"],
    breaks: ["a refusal that is repeated is refused again"],
    rewrite: instead(
      "AND array_agg(l.account_id ORDER BY l.line) = $5::integer[] AND array_agg(l.amount_micros ORDER BY l.line) = $6::bigint[]",
      "AND ($5::integer[], $6::bigint[]) IS NOT NULL",
    ),
  },
  {
    name: "a refused deduction whose key is kept",
    among: ["note", "days"],
    breaks: ["a refusal that is repeated is refused again"],
    rewrite: (text) => (text === "ROLLBACK" ? "COMMIT" : text),
  },
  {
    name: "a request that is executed each time it is sent",
    among: ["adjustment", "days"],
    breaks: ["what is repeated is done once", "a refusal that is repeated is refused again"],
    sql: trigger(
      "again",
      "ledger_postings",
      "IF NEW.kind IN ('bonus', 'correction') THEN NEW.reference := NEW.reference || ' ' || NEW.id; END IF; RETURN NEW;",
    ),
  },
  {
    name: "deductions that do not count against each other",
    among: ["note", "dispute", "answer"],
    breaks: ["no more is deducted than was earned"],
    rewrite: instead("coalesce(sum(l.amount_micros) FILTER (WHERE p.kind = 'deduction'), 0)", "0"),
  },
  {
    name: "an accrual that does not see what it booked",
    among: ["refill", "ads", "ads", "accrual", "days"],
    breaks: ["the books say what the events say", "what is repeated is done once"],
    rewrite: instead(
      "AND p.kind = 'accrual'\n     GROUP BY p.for_day",
      "AND p.kind = 'accrual' AND l.campaign_id IS NULL\n     GROUP BY p.for_day",
    ),
  },
  {
    name: "a partner that is left out",
    among: ["traffic", "accrual", "days"],
    breaks: ["the books say what the events say", "what is repeated is done once"],
    books: (books) => ({
      ...books,
      earnings: async (range) => (await books.earnings(range)).filter(({ provider }) => provider !== "borealis"),
    }),
  },
  {
    name: "unproven spend that goes back at every look",
    among: ["refill", "ads", "unproven", "days"],
    breaks: ["spend that no impression proves goes back once"],
    rewrite: instead(
      "p.for_day AS day, sum(l.amount_micros) AS micros,",
      "p.for_day AS day, sum(l.amount_micros) FILTER (WHERE p.kind = 'accrual') AS micros,",
    ),
  },
  {
    name: "impressions that come after a month and are not charged",
    among: ["refill", "ads", "unproven", "accrual", "arrive", "days", "days"],
    breaks: ["spend that no impression proves goes back once"],
    rewrite: instead("kind = 'accrual' AND for_day < $1", "for_day < $1 AND false"),
  },
  {
    name: "a count that takes the books' word",
    among: ["traffic", "reconciliation"],
    breaks: ["the count finds every difference"],
    books: (books) => ({ ...books, counted: async () => [] }),
  },
  {
    name: "an acceptance that outlives its amount",
    among: ["traffic", "traffic", "reconciliation", "acceptance"],
    breaks: ["the count finds every difference"],
    rewrite: instead("accepted_at = NULL, accepted_by = NULL, accepted_reason = NULL", "accepted_at = d.accepted_at"),
  },
  {
    name: "a statement that is booked as if nothing had been stated before",
    among: ["statement", "compare", "accrual", "days"],
    breaks: ["a restated statement posts its difference once"],
    rewrite: instead(
      "p.kind = 'statement' AND l.provider = $1",
      "p.kind = 'statement' AND p.cause = 'clawback' AND l.provider = $1",
    ),
  },
  {
    name: "a restatement that counts when its day was, not in the open month",
    among: ["statement", "pay", "days"],
    breaks: ["a closed month never changes", "a restated statement posts its difference once"],
    sql: "DROP TRIGGER ledger_postings_in_open_months ON ledger_postings",
    rewrite: instead("SELECT to_char(month, 'YYYY-MM') AS month FROM closed_months", "SELECT '' AS month"),
  },
  {
    name: "transactions that are none",
    among: ["traffic", "kill", "kill"],
    breaks: [
      "what was killed has happened or not",
      "nothing is negative that may not be",
      "the header is the ledger's balance",
      "debits equal credits",
      "the books say what the events say",
    ],
    rewrite: (text) => (/^(BEGIN|COMMIT|LOCK TABLE)/.test(text) ? "SELECT 1" : text),
  },
];
