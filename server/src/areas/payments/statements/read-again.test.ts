import { addDays } from "@millrace/units";
import { expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { DAY, MAPPING, SHOWN, statementDesk } from "../testing/statement-desk.ts";

const { pool, owners, send, booked } = await statementDesk(await testStores());
const bundle = owners[0]?.bundle ?? "";
/** What the ledger has of a day, by cause. */
const causesOf = async (day: string) => {
  const { rows } = await pool.query<{ line: string }>(
    `SELECT concat_ws(' ', p.cause, sum(l.amount_micros)) AS line FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
     WHERE p.kind = 'statement' AND p.for_day = $1 AND l.book = 'partner_receivable'
     GROUP BY p.cause HAVING sum(l.amount_micros) <> 0 ORDER BY p.cause`,
    [day],
  );
  return rows.map(({ line }) => line);
};

test("a statement that was read with a wrong time zone is corrected by the same file, read with the right one", async () => {
  await expect.poll(() => booked("accrual", "partner_receivable"), { timeout: 20_000 }).toBe(SHOWN * 10_000);
  const content = `${DAY},${bundle},9,0.09\n`;
  const elsewhere = { mapping: { ...MAPPING, time_zone: "Etc/GMT+5" } };
  expect(await send(content, elsewhere)).toMatchObject({ status: 200, body: { is_new: true, changed: 1 } });
  // Four of the ten impressions were on the day before there.
  expect(await causesOf(DAY)).toEqual(["discrepancy 30000", "time_zone -40000"]);
  expect(await send(content)).toMatchObject({
    status: 422,
    body: { error: { cause: "Say why it differs from the earlier statement" } },
  });
  const rightly = { cause: "time_zone" };
  expect(await send(content, rightly)).toMatchObject({ status: 200, body: { is_new: true, changed: 1 } });
  expect(await causesOf(DAY)).toEqual(["discrepancy -10000"]);
  expect(await send(content, rightly)).toMatchObject({ body: { is_new: false, changed: 0 } });
  // A later difference keeps its own cause.
  await send(`${DAY},${bundle},9,0.08\n`, { cause: "clawback" });
  expect(await causesOf(DAY)).toEqual(["clawback -10000", "discrepancy -10000"]);
});

test("a rate of the day that was forgotten is added by the same file", async () => {
  const day = addDays(DAY, -1);
  const content = `${day},${bundle},7,10\n`;
  const euros = { mapping: { ...MAPPING, currency: "EUR" }, rate: "1.0842" };
  await send(content, euros);
  expect(await causesOf(day)).toEqual(["discrepancy 10842000"]);
  await send(content, { ...euros, shown_rate: "1.1", cause: "currency" });
  expect(await causesOf(day)).toEqual(["currency -158000", "discrepancy 11000000"]);
});

test("a statement that was imported by mistake leaves no cause behind once the right one takes its place", async () => {
  const day = addDays(DAY, -2);
  await send(`${day},${bundle},900,900\n`);
  const right = { cause: "mistake" };
  expect(await send(`${day},${bundle},9,0.08\n`, right)).toMatchObject({ status: 200, body: { changed: 1 } });
  expect(await causesOf(day)).toEqual(["discrepancy 80000"]);
  // What the partner restates afterwards has its own cause, and a mistake in that leaves the first statement as it was.
  await send(`${day},${bundle},9,0.01\n`, { cause: "clawback" });
  await send(`${day},${bundle},9,0.06\n`, right);
  expect(await causesOf(day)).toEqual(["clawback -20000", "discrepancy 80000"]);
});
