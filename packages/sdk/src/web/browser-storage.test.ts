import { afterEach, expect, test, vi } from "vitest";
import { adReply, APP } from "../testing/protocol-replies.ts";
import { type SdkBench, sdkBench } from "../testing/sdk-bench.ts";
import { browserStorage } from "./browser-storage.ts";

afterEach(() => void vi.unstubAllGlobals());

/** A page's storage with these entries, into which nothing more goes. */
function fullStorage(entries: Record<string, string>) {
  const methods = {
    getItem: (key: string) => entries[key] ?? null,
    setItem() {
      throw new DOMException("full", "QuotaExceededError");
    },
    removeItem: (key: string) => void delete entries[key],
  };
  const store = Object.assign(Object.create(methods), entries) as object;
  return new Proxy(store, { ownKeys: () => Reflect.ownKeys(entries) });
}

test("where the app has filled the storage, what waits in it is sent, and the device stays known", async () => {
  const bench: SdkBench = await sdkBench();
  const [url, installId] = [`${bench.server.endpoint}/b/imp/earlier`, APP];
  const entries = {
    [`millrace.${APP}.install_id`]: installId,
    [`millrace.${APP}.out.1`]: JSON.stringify({ url, at: bench.clock.now(), tries: 0 }),
  };
  vi.stubGlobal("window", { localStorage: fullStorage(entries) });
  bench.storage = browserStorage();
  const usual = bench.answer;
  bench.answer = (request) => (request.path === "/sdk/v1/ad" ? { json: adReply([]) } : usual(request));
  await bench.start({}, bench.restart());
  bench.clock.advance(0);
  await vi.waitFor(() => expect(bench.beacons()).toEqual(["/b/imp/earlier"]));
  expect(bench.server.of("/sdk/v1/init")).toMatchObject([{ body: { install_id: installId } }]);
  await vi.waitFor(() => expect(Object.keys(entries)).toEqual([`millrace.${APP}.install_id`]));
  await bench.close();
});

test.each([
  ["forbids storage", () => expect.fail("no access")],
  ["has no storage", () => null],
])("in a browser that %s, a page keeps what it stores in memory", (_, localStorage) => {
  vi.stubGlobal("window", Object.defineProperty({}, "localStorage", { get: localStorage }));
  const storage = browserStorage();
  storage.set("a", "1");
  expect([storage.get("a"), storage.keys()]).toEqual(["1", ["a"]]);
});
