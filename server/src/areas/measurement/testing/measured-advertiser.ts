import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Measurement } from "@millrace/contract";
import { afterAll, beforeAll } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { sleep } from "../../../platform/waiting.ts";
import type { TestStores } from "../../../platform/testing/stores.ts";
import { testSealer } from "../../../platform/testing/test-sealer.ts";
import { anAdvertiser } from "../../campaigns/testing/an-advertiser.ts";
import { statisticsArea } from "../../statistics/index.ts";
import { type ClickFacts, clickIds as clickIdsOf } from "../click-id.ts";
import { measurementArea } from "../index.ts";

/** An advertiser whose conversions can be reported; for the file's tests. */
export async function aMeasuredAdvertiser(stores: TestStores) {
  const advertiser = await anAdvertiser(stores);
  const { at, me, newCampaign } = advertiser;
  const { clock } = at;
  const clickIds = clickIdsOf(["a secret for tests of at least 32 bytes"]);
  const dir = await mkdtemp(join(tmpdir(), "measurement-"));
  const statistics = await statisticsArea({ clickhouse: stores.clickhouse, journalDir: dir, clock, log: silentLog });
  const area = measurementArea({
    pool: stores.pg.pool,
    clock,
    log: silentLog,
    jobs: at.jobs,
    sealer: testSealer,
    events: { append: (table, row) => statistics.events.append(table, row) },
    clickIds,
    publicUrl: "https://ads.example.com",
    statistics: statistics.campaigns,
    adNetworkIds: ["com.example"],
  });
  area.routes(at.server);
  const campaign = { id: 0, uuid: "" };
  beforeAll(async () => {
    await area.start?.();
    Object.assign(campaign, await aCampaign(me.accountId, { click_window: 2, view_window: 3 }));
  });
  afterAll(async () => {
    await area.stop?.();
    await statistics.stop?.();
    await rm(dir, { recursive: true });
  });

  async function aCampaign(accountId: number, some: object = {}) {
    const banner = await advertiser.imageOf(accountId);
    const creatives = [advertiser.someCreative({ image_url: banner })];
    const uuid = await newCampaign(accountId, { ...some, creatives });
    const { rows } = await stores.pg.pool.query<{ id: number }>("SELECT id FROM campaigns WHERE uuid = $1", [uuid]);
    return { id: rows[0]?.id ?? 0, uuid };
  }

  let ads = 0;

  return {
    ...advertiser,
    clickIds,
    /** The id of a click a second ago, on another ad each time unless one is given. */
    clickOf: (some: Partial<ClickFacts> = {}): string =>
      clickIds.sign({
        kind: "click",
        ad: Buffer.alloc(12, ++ads).toString("base64url"),
        campaignId: campaign.id,
        creativeId: 7,
        appId: 3,
        atMs: clock.now() - 1000,
        format: "banner",
        country: "DE",
        platform: "android",
        arm: "",
        demo: false,
        test: false,
        ...some,
      }),
    statistics,
    /** Its clicks count for 2 days, its impressions for 3 hours. */
    campaign,
    aCampaign,
    measurement: async (uuid = campaign.uuid, accountId = me.accountId) =>
      (await at.get(accountId, `/campaign/${uuid}/measurement.json`)).body as unknown as Measurement,
    async conversions(id = campaign.id): Promise<number> {
      // Answers are remembered for a moment.
      await sleep(310);
      await statistics.flush();
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      return (await statistics.campaigns.figures([id], { ds: "2020-01-01", de: day })).get(id)?.conversions ?? 0;
    },
  };
}
