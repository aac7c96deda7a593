import fc from "fast-check";
import { importStatement } from "../../statements/import-statement.ts";
import { settleStatements } from "../../statements/settle-statements.ts";
import { mustBe } from "./invariants.ts";
import { command, mustAllow, mustRefuse } from "./command.ts";

const INVARIANT = "a restated statement posts its difference once";

const MAPPING = {
  date: "Date",
  place: "App",
  impressions: "Impressions",
  revenue: "Revenue",
  place_kind: "bundle",
  date_format: "2026-10-31",
  decimal: ".",
  time_zone: "UTC",
  currency: "USD",
} as const;

/** A partner states a day of an app: for the first time, once more, or otherwise than before. */
const statement = command(
  "a statement",
  fc.record({
    nth: fc.nat(3),
    amount: fc.constantFrom(500_000, 1_250_000, 2_000_000),
    impressions: fc.integer({ min: 1, max: 2 }),
    isExplained: fc.boolean(),
  }),
  async ({ nth, amount, impressions, isExplained }, expected, real) => {
    const sales = [...expected.booked.values()].filter(({ campaignId }) => campaignId === 0);
    const sale = sales[nth % Math.max(1, sales.length)];
    if (!sale) return;
    const { day, appId, provider } = sale;
    const cell = `${day} ${appId} ${provider}`;
    const ask = () =>
      importStatement(
        real.deps(),
        { userId: expected.cast.adminId },
        {
          partner: provider,
          mapping: MAPPING,
          rate: null,
          shown_rate: null,
          content: `Date,App,Impressions,Revenue\n${day},app-${appId},${impressions},${amount / 1_000_000}\n`,
          file_name: "statement.csv",
          cause: isExplained ? "invalid_traffic" : null,
        },
      );
    const was = expected.stated.get(cell);
    const stated = { impressions, micros: BigInt(amount) };
    // A file that was imported before is new again once another one has changed what it says.
    const isNew = was?.micros !== stated.micros || was.impressions !== impressions;
    if (isNew && was && !isExplained) return mustRefuse(ask);
    const said = await mustAllow(ask);
    mustBe(INVARIANT, [said.is_new, said.changed], [isNew, isNew ? 1 : 0], cell);
    if (!isNew) return;
    expected.stated.set(cell, stated);
    expected.settle((of) => of.startsWith(`${day} `) && of.endsWith(` ${provider}`));
  },
);

/** What is booked of the events may have changed since partners stated it. */
const compare = command("statements are compared again", fc.constant(null), async (_, expected, real) => {
  const posted = await settleStatements(real.deps());
  expected.settle(() => true);
  if (posted > 0) mustBe(INVARIANT, await settleStatements(real.deps()), 0, "the number of postings at once again");
});

export const STATING = { statement, compare };
