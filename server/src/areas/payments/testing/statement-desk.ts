import type { AdminStatement, MonthRevenue, StatementPreview } from "@millrace/contract";
import { addDays, dayOf } from "@millrace/units";
import { upsertPartner } from "../../demand-partners/index.ts";
import { impression, keep } from "../../statistics/testing/some-rows.ts";
import type { TestStores } from "../../../platform/testing/stores.ts";
import { newApp } from "../../../testing/deductions/some-earnings.ts";
import { somePartner } from "../../../testing/some-partner.ts";
import { type As, newPerson, sessionOf, testPlatform } from "../../../testing/test-platform.ts";

/** The day of the traffic, which the platform books by itself at its start. */
export const DAY = addDays(dayOf(Date.now()), -10);
/** Impressions of each app on the day, for $0.01 each, of which $0.008 are the publisher's. */
export const SHOWN = 10;

export const MAPPING = {
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

/** A platform with an admin, a partner, and publishers whose apps have sold to it on the day. Call it once at the top of the file. */
export async function statementDesk(stores: Omit<TestStores, "dispose">, publishers = 1) {
  const { pool } = stores.pg;
  await upsertPartner(pool, somePartner({ id: "aurora", name: "The Aurora" }));
  const owners = [];
  for (let nth = 1; nth <= publishers; nth++) {
    const person = await newPerson(pool, `publisher-${nth}@example.com`, { name: "Ada" });
    const app = await newApp(pool, person.accountId, `Tide ${nth}`);
    const { rows } = await pool.query<{ bundle: string }>("SELECT bundle_id AS bundle FROM apps WHERE id = $1", [
      app.id,
    ]);
    await keep(stores.clickhouse, {
      events: Array.from({ length: SHOWN }, (_, hour) =>
        impression(`${DAY}T${String(hour + 1).padStart(2, "0")}:00:00Z`, {
          app_id: app.id,
          revenue_micros: 8000,
          cost_micros: 10_000,
        }),
      ),
    });
    owners.push({
      ...person,
      app,
      bundle: rows[0]?.bundle ?? "",
      as: { cookie: await sessionOf(pool, person) } satisfies As,
    });
  }
  const platform = await testPlatform(stores, { PUBLIC_URL: "https://millrace.example" });
  const { ask } = platform;
  const admin = await newPerson(pool, "admin@example.com", { role: "admin" });
  const asAdmin: As = { cookie: await sessionOf(pool, admin) };
  const bodyOf = (content: string, some: object = {}) => ({
    partner: "aurora",
    mapping: MAPPING,
    rate: null,
    shown_rate: null,
    content: `Date,App,Impressions,Revenue\n${content}`,
    ...some,
  });
  return {
    ...platform,
    admin,
    asAdmin,
    owners,
    bodyOf,
    async preview(content: string, some: object = {}) {
      const { status, body } = await ask(asAdmin, "POST", "/admin/statements/preview", bodyOf(content, some));
      return { status, body, check: (body as StatementPreview).check };
    },
    send: (content: string, some: object = {}) =>
      ask(asAdmin, "POST", "/admin/statements", { ...bodyOf(content), cause: null, file_name: "october.csv", ...some }),
    async detail(uuid: string): Promise<AdminStatement> {
      return (await ask(asAdmin, "GET", `/admin/statements/${uuid}.json`)).body as AdminStatement;
    },
    async revenue(as: As, query = ""): Promise<MonthRevenue> {
      return (await ask(as, "GET", `/payment/revenue.json?month=${DAY.slice(0, 7)}${query}`)).body as MonthRevenue;
    },
    /** What the ledger says: the sum of a book's lines of a kind of posting. */
    async booked(kind: string, book: string): Promise<number> {
      const { rows } = await pool.query<{ micros: string }>(
        `SELECT coalesce(sum(l.amount_micros), 0) AS micros FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
         WHERE p.kind = $1 AND l.book = $2`,
        [kind, book],
      );
      return Number(rows[0]?.micros ?? 0);
    },
  };
}
