import { addDays } from "@millrace/units";
import { expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { DAY, MAPPING, SHOWN, statementDesk } from "../testing/statement-desk.ts";

const stores = await testStores();
const desk = await statementDesk(stores, 3);
const { ask, asAdmin, owners, send, detail, booked } = desk;
const LOS_ANGELES = { mapping: { ...MAPPING, time_zone: "America/Los_Angeles" } };
type Owner = (typeof owners)[number];
const ownerOf = (nth: number): Owner => owners[nth] ?? expect.fail();

const passOn = (uuid: string, { app }: Owner, day = DAY) =>
  ask(asAdmin, "POST", `/admin/statements/${uuid}/pass_on`, { day, app: app.uuid, explanation: "Counted less" });
async function sent(content: string, some: object = {}): Promise<string> {
  const { status, body } = await send(content, some);
  expect(status).toBe(200);
  return String(body["uuid"]);
}

test("what a partner's time zone moves to a neighbouring day is no shortfall, and what it counted less on its own day is", async () => {
  await expect.poll(() => booked("accrual", "partner_receivable"), { timeout: 20_000 }).toBe(3 * SHOWN * 10_000);
  const [exact, less] = [ownerOf(0), ownerOf(1)];
  const before = addDays(DAY, -1);
  // The day's hours 1 to 7 (UTC) are of the day before in Los Angeles.
  const uuid = await sent(
    `${before},${exact.bundle},7,0.07\n${before},${less.bundle},7,0.07\n${DAY},${exact.bundle},3,0.03\n${DAY},${less.bundle},2,0.02\n`,
    LOS_ANGELES,
  );
  const { days } = await detail(uuid);
  const dayOf = ({ app }: Owner, day: string) => days.find((one) => one.app.uuid === app.uuid && one.day === day);
  expect(dayOf(exact, DAY)).toMatchObject({ shortfall: 0, time_zone: -70_000, passed_on: 0 });
  expect(dayOf(exact, before)).toMatchObject({ shortfall: 0, time_zone: 70_000, passed_on: 0 });
  expect(await passOn(uuid, exact)).toMatchObject({
    status: 422,
    body: { error: "Nothing is left of this shortfall to pass on" },
  });
  expect(dayOf(less, DAY)).toMatchObject({ shortfall: 8000, time_zone: -70_000 });
  expect(await passOn(uuid, less)).toMatchObject({ status: 200, body: { amount: 8000 } });
  const { body } = await ask(less.as, "GET", "/payment/deductions.json");
  expect(body["deductions"]).toMatchObject([{ reason: "discrepancy", amount: 8000 }]);
});
