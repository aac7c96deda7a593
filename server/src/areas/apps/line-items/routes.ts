import {
  addLineItem,
  deleteLineItem,
  editLineItem,
  importLinePrices,
  type LineItem,
  type LineItemFields,
  type LineItems,
  lineItems,
  MOST_LINE_ITEMS,
  UNKNOWN_COUNTRY,
} from "@millrace/contract";
import { addDays, dayOf, divideRounded } from "@millrace/units";
import { expectedPrice } from "@millrace/learning";
import type { FastifyInstance } from "fastify";
import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { refuseOtherContent, uuidOfKey } from "../../../platform/http/once-by-key.ts";
import { pauses } from "../../../platform/pauses.ts";
import { refuseStale, revisionOf } from "../../../platform/http/revision.ts";
import { serve } from "../../../platform/http/serve.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { grouped } from "../../../platform/grouped.ts";
import { type By, MOST_ENTRIES, recordAct } from "../../audit/index.ts";
import type { LineItemSumRow, PriceEvidenceRow } from "../../statistics/index.ts";
import { appIdentity } from "../app-identity.ts";
import type { AppsDeps } from "../deps.ts";
import { lockAccount } from "../editing-store.ts";
import { refuseAboveLimit } from "../settings/account-limits.ts";
import { type App, ownApp } from "../store.ts";
import { lineItemChange, priceChange } from "./line-item-change.ts";
import * as store from "./line-item-store.ts";
import { stepParams } from "./publish-line-fills.ts";
import { evidenceParams, fitLineItem } from "./publish-line-prices.ts";
import { readPrices } from "./read-prices.ts";

interface Change {
  action: string;
  /** Applies the change and returns what the audit log says of it; null if nothing changed. */
  make(client: PoolClient, app: App, items: readonly store.StoredLineItem[]): Promise<object | null>;
}

/** An app's line items and their prices. The exchange applies a change within seconds. */
export function lineItemRoutes(app: FastifyInstance, deps: AppsDeps): void {
  const { pool, clock } = deps;

  async function change(by: By, uuid: string, { action, make }: Change): Promise<LineItems> {
    const owned = await inTransaction(pool, async (client) => {
      // One writer at a time, so that names stay unique and no limit is passed.
      await lockAccount(client, by.caller.accountId);
      const found = await ownApp(client, by.caller, uuid);
      const details = await make(client, found, await store.listLineItems(client, found.id));
      if (details !== null)
        await recordAct({ pool: client, clock }, by, { action, subject: found.uuid, details: { ...details } });
      return found;
    });
    return read(owned);
  }

  const read = (found: App, signal?: AbortSignal): Promise<LineItems> =>
    deps.statistics.turns.run(found.accountId, () => readLineItems(deps, found), signal);

  serve(app, lineItems, async ({ params, caller, signal }) => read(await ownApp(pool, caller, params.id), signal()));
  serve(app, addLineItem, ({ params, query: { key }, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_line_item_added",
      async make(client, { id, accountId }, items) {
        const keyUuid = uuidOfKey(caller.accountId, `line item of app ${id}`, key);
        const added = items.find(({ uuid }) => uuid === keyUuid);
        if (added) {
          refuseOtherContent("line item", lineItemChange(added, body) === null);
          return null;
        }
        if (items.length >= MOST_LINE_ITEMS) {
          throw new Problem("conflict", `An app has at most ${MOST_LINE_ITEMS} line items`);
        }
        refuseKnownName(items, body);
        const item = await store.insertLineItem(client, id, { uuid: keyUuid, ...body }, new Date(clock.now()));
        await refuseLonger(client, accountId, true);
        return { item, name: body.name };
      },
    }),
  );
  serve(app, editLineItem, ({ params, query, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_line_item_edited",
      async make(client, { accountId }, items) {
        const before = itemOf(items, params.item);
        const { id, uuid, ...fields } = before;
        const changed = lineItemChange(before, body);
        refuseStale(query.revision, fields, changed === null);
        refuseKnownName(
          items.filter((other) => other.uuid !== uuid),
          body,
        );
        await store.updateLineItem(client, id, body, new Date(clock.now()));
        await refuseLonger(client, accountId, lengthOf(body) > lengthOf(before));
        return changed && { item: uuid, ...changed };
      },
    }),
  );
  serve(app, deleteLineItem, ({ params, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_line_item_deleted",
      async make(client, _app, items) {
        const { id, uuid, name } = itemOf(items, params.item);
        await store.removeLineItem(client, id);
        return { item: uuid, name };
      },
    }),
  );
  serve(app, importLinePrices, ({ params, body, caller, request }) =>
    change({ caller, request }, params.id, {
      action: "app_line_prices_imported",
      async make(client, { accountId }, items) {
        const byName = new Map(items.map((item) => [item.name.toLowerCase(), item]));
        const file = readPrices(body.content, new Set(byName.keys()));
        if (!file.ok) throw new Problem("invalid", file.faults);
        const changed: string[] = [];
        let growth = 0;
        for (const [name, prices] of file.prices) {
          const item = byName.get(name);
          if (!item) continue;
          await store.setPrices(client, item.id, prices);
          if (priceChange(item.prices, prices)) changed.push(item.uuid);
          growth += lengthOf({ ...item, prices }) - lengthOf(item);
        }
        await refuseLonger(client, accountId, growth > 0);
        return changed.length === 0 ? null : { items: changed.slice(0, MOST_ENTRIES), items_count: changed.length };
      },
    }),
  );
}

const refuseLonger = (client: PoolClient, accountId: number, grew: boolean): Promise<void> =>
  refuseAboveLimit(client, accountId, { what: "lineItemCharacters", grew });

/** For a comparison of a line item with what it was. */
const lengthOf = ({ source, prices, zones }: Pick<LineItemFields, "source" | "prices" | "zones">): number =>
  JSON.stringify([source, prices, zones]).length;

function itemOf(items: readonly store.StoredLineItem[], uuid: string): store.StoredLineItem {
  const found = items.find((item) => item.uuid === uuid);
  if (!found) throw new Problem("not_found", "There is no such line item");
  return found;
}

function refuseKnownName(items: readonly store.StoredLineItem[], { name }: LineItemFields): void {
  if (items.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
    throw new Problem("invalid", { name: "Another line item has this name" });
  }
}

async function readLineItems(deps: AppsDeps, app: App): Promise<LineItems> {
  const day = addDays(dayOf(deps.clock.now()), -1);
  const { lineItems: statistics } = deps.statistics;
  const [items, sums, evidence, steps] = await Promise.all([
    store.listLineItems(deps.pool, app.id),
    statistics.sums({ appId: app.id, ds: day, de: day }),
    statistics.priceEvidence(evidenceParams(app.id, deps.clock.now())),
    stepParams(deps.pool, app.id, deps.clock.now()).then((params) => statistics.stepEvidence(params)),
  ]);
  const sumsOf = grouped(sums, ({ lineItemId }) => lineItemId);
  const evidenceOf = grouped(evidence, ({ lineItemId }) => lineItemId);
  const stepsOf = grouped(steps, ({ lineItemId }) => lineItemId);
  const pause = pauses();
  const found: LineItem[] = [];
  for (const { id, uuid, ...item } of items) {
    const rows = evidenceOf.get(id) ?? [];
    // The token of a tag's player could tell outcomes, too.
    const reportedSteps = item.source.kind === "sdk" ? (stepsOf.get(id) ?? []) : [];
    found.push({
      ...item,
      uuid,
      revision: revisionOf(item),
      expected: expectedPrices(app, item, rows),
      paid: rows.reduce((sum, { told }) => sum + told, 0),
      steps: {
        tried: reportedSteps.reduce((sum, { tried }) => sum + tried, 0),
        filled: reportedSteps.reduce((sum, { had }) => sum + had, 0),
      },
      yesterday: shown(sumsOf.get(id) ?? []),
    });
    // A hundred line items may have 30,000 prices.
    await pause();
  }
  return { app: appIdentity(deps, app), day, items: found };
}

/** What was shown in all countries, and what is expected of it; the sums are of CPMs, so each is of a thousand impressions. */
function shown(rows: readonly LineItemSumRow[]): LineItem["yesterday"] {
  const expectedOf = (micros: bigint) => Number(divideRounded(micros, 1000n));
  return {
    impressions: rows.reduce((sum, { impressions }) => sum + impressions, 0),
    expected: expectedOf(rows.reduce((sum, { expectedMicros }) => sum + expectedMicros, 0n)),
    countries: Object.fromEntries(rows.map(({ country, expectedMicros }) => [country, expectedOf(expectedMicros)])),
  };
}

/** What impressions are expected to pay in the countries that have a price. */
function expectedPrices(
  { platform }: Pick<App, "platform">,
  { format, prices }: Pick<LineItemFields, "format" | "prices">,
  rows: readonly PriceEvidenceRow[],
): LineItem["expected"] {
  const factors = fitLineItem(prices, rows);
  return prices.map(({ country, price }) => {
    // No country has this code, so it has what all others have in common.
    const cell = { format, country: country ?? UNKNOWN_COUNTRY, platform };
    const { expectedMicros, lowMicros, highMicros } = expectedPrice(factors, cell, price);
    return { country, price: expectedMicros, low: lowMicros, high: highMicros };
  });
}
