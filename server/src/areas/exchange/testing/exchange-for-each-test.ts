import { afterAll, afterEach, beforeEach, onTestFinished } from "vitest";
import { someCaller } from "../../../platform/testing/some-caller.ts";
import { testStores, type TestStores } from "../../../platform/testing/stores.ts";
import { type Behaviour, startBidder, type TestBidder } from "./start-bidder.ts";
import { addPartner, insertApp, removeDir, startExchange, type TestApp, type TestExchange } from "./start-exchange.ts";

/** The set-up of each test: empty stores, an app, and a running exchange. */
export interface TestWorld {
  stores: TestStores;
  exchange: TestExchange;
  app: TestApp;
  /** The caller of the dashboard's routes: the app's owner, unless a test changes it. */
  owner: ReturnType<typeof someCaller>;
  /** Starts a bidder for which the app, or `of`, has keys. */
  partner(
    id: string,
    behave: Behaviour,
    more?: Parameters<typeof addPartner>[4] & { of?: TestApp },
  ): Promise<TestBidder>;
  /** Stops the exchange and starts another. */
  restart(options: Parameters<typeof startExchange>[1]): Promise<void>;
}

/** Sets up each test of a file. Call it once at the top: `const at = await exchangeForEachTest();` */
export async function exchangeForEachTest(options: Parameters<typeof startExchange>[1] = {}): Promise<TestWorld> {
  const stores = await testStores();
  const dirs = new Set<string>();
  const owner = someCaller({ accountId: 0 });

  async function start(options: Parameters<typeof startExchange>[1]): Promise<void> {
    world.exchange = await startExchange(stores, { caller: owner, ...options });
    dirs.add(world.exchange.dataDir);
  }

  const world = {
    stores,
    owner,
    async partner(id, behave, { of, ...more } = {}) {
      const bidder = await startBidder(behave);
      onTestFinished(() => bidder.close());
      await addPartner(stores, of ?? world.app, id, bidder.endpoint, more);
      await world.exchange.exchange.reloadConfig();
      return bidder;
    },
    async restart(options) {
      await world.exchange.stop();
      await start(options);
    },
    // The app and the exchange exist before any test runs.
  } as TestWorld;

  beforeEach(async () => {
    await stores.pg.pool.query("TRUNCATE partners, apps RESTART IDENTITY CASCADE");
    const empty = (table: string) => stores.clickhouse.write.command({ query: `TRUNCATE TABLE ${table}` });
    await Promise.all(["events", "auctions", "traces", "player_events", "cohort_daily", "partner_daily"].map(empty));
    world.app = await insertApp(stores, { bundleId: "com.example.game" });
    owner.accountId = world.app.accountId;
    await start(options);
  });
  afterEach(() => world.exchange.stop());
  afterAll(async () => {
    for (const dir of dirs) await removeDir(dir);
  });
  return world;
}
