import { randomUUID } from "node:crypto";
import type { AdminDeduction } from "@millrace/contract";
import { addDays, dayOf } from "@millrace/units";
import { upsertPartner } from "../../areas/demand-partners/index.ts";
import type { TestStores } from "../../platform/testing/stores.ts";
import { somePartner } from "../some-partner.ts";
import { type As, newPerson, sessionOf, testPlatform } from "../test-platform.ts";
import { earn, newApp } from "./some-earnings.ts";

export const TODAY = dayOf(Date.now());
/** A day that the platform's own accrual leaves alone, since nothing is recorded of it. */
export const DAY = addDays(TODAY, -10);

/** A platform with an admin who notes and answers deductions. Call it once at the top of the file. */
export async function deductionDesk(stores: Omit<TestStores, "dispose">) {
  const platform = await testPlatform(stores, { PUBLIC_URL: "https://millrace.example" });
  const { pool, ask, mailsTo } = platform;
  const admin = await newPerson(pool, "admin@example.com", { role: "admin" });
  const asAdmin: As = { cookie: await sessionOf(pool, admin) };
  for (const id of ["aurora", "borealis"]) await upsertPartner(pool, somePartner({ id, name: `The ${id}` }));
  const note = (uuid: string, body: object) => ask(asAdmin, "POST", `/admin/users/${uuid}/deduction`, body);

  let number = 0;
  /** A publisher with an app that earned $1.00 from Aurora and $0.50 from Borealis on the day. */
  async function publisher() {
    const person = await newPerson(pool, `publisher-${++number}@example.com`, { name: "Ada" });
    const app = await newApp(pool, person.accountId);
    const sold = { accountId: person.accountId, appId: app.id, day: DAY };
    await earn(pool, { ...sold, provider: "aurora", revenueMicros: 1_000_000 });
    await earn(pool, { ...sold, provider: "borealis", revenueMicros: 500_000 });
    const body = (some: object = {}) => ({
      key: randomUUID(),
      reason: "discrepancy",
      day: DAY,
      app: app.uuid,
      provider: "aurora",
      amount: 400_000,
      explanation: "Aurora counted fewer impressions",
      auctions: [] as string[],
      ...some,
    });
    return {
      ...person,
      app,
      as: { cookie: await sessionOf(pool, person) } satisfies As,
      body,
      note: (some: object = {}) => note(person.uuid, body(some)),
      /** Notes one and returns its id. */
      noted: async (some: object = {}) => String((await note(person.uuid, body(some))).body["uuid"]),
    };
  }

  return {
    ...platform,
    admin,
    asAdmin,
    note,
    publisher,
    answer: (uuid: string, verdict: string, text = "We have asked the partner again") =>
      ask(asAdmin, "POST", `/admin/deductions/${uuid}/answer`, { verdict, answer: text }),
    dispute: (as: As, uuid: string, text = "It was real") =>
      ask(as, "POST", `/payment/deductions/${uuid}/dispute`, { text }),
    async listed(query: string) {
      const { body } = await ask(asAdmin, "GET", `/admin/deductions.json?${query}`);
      return body["deductions"] as AdminDeduction[];
    },
    /** The lines of an account's deductions in the ledger, in order, the platform's side included. */
    async linesOf(accountId: number): Promise<string[]> {
      const { rows } = await pool.query<{ line: string }>(
        `SELECT concat_ws(' ', l.book, l.amount_micros, l.provider, p.for_day,
           p.on_day = (p.at AT TIME ZONE 'UTC')::date, p.reason) AS line
         FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
         WHERE p.kind = 'deduction' AND l.app_id IN (SELECT id FROM apps WHERE account_id = $1) ORDER BY p.id, l.line`,
        [accountId],
      );
      return rows.map(({ line }) => line);
    },
    subjectsTo: async (email: string) => (await mailsTo(email)).map(({ subject }) => subject),
  };
}
