import type { LineItemFields } from "@millrace/contract";
import { escapeHtml } from "@millrace/openrtb";
import type { Pool } from "pg";
import { DEMO_ADAPTER } from "../traffic/try-adapter.ts";

/** The zones of this app have line items beside its bidders. */
const APP = "lantern-runner-android";

const tag = (text: string, colour: string) =>
  `<div style="display:grid;place-items:center;height:100%;font:600 16px system-ui;color:#fff;background:${colour}">${escapeHtml(text)}</div>`;

const LINE_ITEMS: readonly LineItemFields[] = [
  {
    name: "Direct sale, banner tag",
    format: "banner",
    zones: [],
    enabled: true,
    source: { kind: "html", html: tag("Sold directly", "#0f4c81"), size: { w: 320, h: 50 } },
    prices: [
      { country: "US", price: 900_000 },
      { country: "DE", price: 700_000 },
      { country: null, price: 250_000 },
    ],
    gvl_id: null,
  },
  {
    name: "Last resort, full screen tag",
    format: "interstitial",
    zones: [],
    enabled: true,
    source: { kind: "html", html: tag("Last resort", "#5b3a6e"), size: null },
    prices: [{ country: null, price: 400_000 }],
    gvl_id: null,
  },
  {
    name: "Adapter of another SDK, rewarded",
    format: "rewarded",
    zones: [],
    enabled: true,
    source: { kind: "sdk", adapter: DEMO_ADAPTER.name, params: { placement: "rewarded-1" } },
    prices: [{ country: null, price: 6_000_000 }],
    gvl_id: null,
  },
];

/** Gives one of the demo's apps line items, unless it has any. */
export async function seedLineItems(pool: Pool, appIds: ReadonlyMap<string, number>): Promise<void> {
  await pool.query(
    `INSERT INTO line_items (app_id, name, format, zones, enabled, source, prices, gvl_id, created_at)
     SELECT $1, i.name, i.format, i.zones, i.enabled, i.source, i.prices, i.gvl_id, now()
     FROM jsonb_to_recordset($2) AS i(name text, format text, zones text[], enabled boolean, source jsonb, prices jsonb, gvl_id integer)
     WHERE EXISTS (SELECT FROM apps WHERE id = $1) AND NOT EXISTS (SELECT FROM line_items WHERE app_id = $1)`,
    [appIds.get(APP) ?? null, JSON.stringify(LINE_ITEMS)],
  );
}
