import { expect, test } from "vitest";
import { addInTest } from "../testing/add-in-test.ts";

const at = await addInTest();

test("a published app is looked up, chosen and added once", async () => {
  at.account = await at.newAccount();
  const { qid, status, items } = await at.lookUp("https://apps.apple.com/de/app/tide/id123456789?mt=8");
  expect(status).toBe("done");
  expect(items).toEqual(
    ["ios", "tvos"].map((platform) => ({
      id: `${platform}:123456789`,
      platform,
      name: "Tide & Ebb",
      logo_url: "https://is1-ssl.mzstatic.com/image/tide/512x512bb.jpg",
      url: "https://apps.apple.com/de/app/id123456789",
    })),
  );
  const { reply } = await at.add({ qid, item: "ios:123456789", mute: true });
  expect(await at.rowOf(reply["uuid"])).toMatchObject({
    name: "Tide & Ebb",
    bundle_id: "com.example.tide",
    platform: "ios",
    url: "https://apps.apple.com/de/app/id123456789",
    logo_url: "https://is1-ssl.mzstatic.com/image/tide/512x512bb.jpg",
    store_id: "123456789",
    in_dev: false,
    moderation: "check",
    muted: true,
  });
  const again = { status: 409, reply: { error: "This app is already in your list" } };
  expect(await at.add({ qid, item: "ios:123456789" })).toEqual(again);
  expect(await at.add({ manual: 1, url: "123456789", name: "Other", bundle_id: "com.example.other" })).toEqual(again);
  expect((await at.add({ qid, item: "tvos:123456789" })).status).toBe(200);
  expect(await at.add({ qid, item: "tvos:123456789", kids: true })).toMatchObject({ status: 400 });
  expect(await at.add({ qid, item: "android:123456789" })).toEqual({
    status: 400,
    reply: { error: { item: "Choose one of the apps that were found" } },
  });
});

test("a search belongs to its account, and expires after an hour", async () => {
  at.account = await at.newAccount();
  const mine = at.account;
  const { qid } = await at.lookUp("123456789");
  const other = await at.newAccount();
  const over = { status: 404, reply: { error: "This search has expired. Please search again" } };
  expect(await at.add({ qid }, { by: other })).toEqual(over);
  expect(await at.add({ qid, item: "ios:123456789" }, { by: other })).toEqual(over);
  expect((await at.add({ qid }, { by: mine })).status).toBe(200);
  at.clock.offsetMs = 3_600_001;
  expect(await at.add({ qid }, { by: mine })).toEqual(over);
  await at.servers.real.apps.start?.();
  at.clock.offsetMs = 0;
  const { rows } = await at.pool.query("SELECT FROM app_lookups WHERE qid = $1", [qid]);
  expect(rows).toEqual([]);
});

test("a search whose worker has died fails", async () => {
  at.account = await at.newAccount();
  await at.pool.query(
    "INSERT INTO app_lookups (qid, account_id, url, state, created_at) VALUES ('lost', $1, 'x', 'working', $2)",
    [at.account, new Date(Date.now() - 21_000)],
  );
  expect(await at.add({ qid: "lost" })).toEqual({ status: 200, reply: { qid: "lost", status: "unreachable" } });
});

test("an unknown app is not found, and if the store is unreachable the app is entered manually", async () => {
  at.account = await at.newAccount();
  const before = at.answer;
  at.answer = { status: 404, body: "" };
  expect(await at.lookUp("com.example.none")).toMatchObject({ status: "done", items: [] });
  at.answer = { status: 503, body: "" };
  const begun = performance.now();
  const { status, items } = await at.lookUp("com.example.tide");
  expect([status, items]).toEqual(["unreachable", undefined]);
  expect(performance.now() - begun).toBeLessThan(6000);
  at.answer = before;

  const refused = await at.add({ manual: 1, url: "com.example.tide", platform: "ios" });
  expect(refused.reply).toEqual({
    error: { name: "Your app name is required", platform: "There are no apps for this platform in Google Play" },
  });
  expect((await at.add({ manual: 1, url: "id123", name: "Tide" })).reply).toEqual({
    error: { bundle_id: "Your bundle ID is required" },
  });
  const url = "https://play.google.com/store/apps/details?id=com.example.tide&hl=de";
  const { reply } = await at.add({ manual: 1, url, platform: "androidtv", name: "Tide", bundle_id: "com.example.lie" });
  expect(await at.rowOf(reply["uuid"])).toMatchObject({
    name: "Tide",
    platform: "androidtv",
    bundle_id: "com.example.tide",
    store_id: "com.example.tide",
    url: "https://play.google.com/store/apps/details?id=com.example.tide",
    in_dev: false,
    moderation: "check",
  });
});

test("an address of no store is refused, and no store is asked", async () => {
  at.account = await at.newAccount();
  for (const url of ["http://169.254.169.254/latest", "https://example.com/app", "javascript:alert(1)"]) {
    expect((await at.add({ url })).reply).toEqual({
      error: {
        url: "Use an app's address or id in Google Play, the App Store, the Amazon Appstore or the Roku Channel Store",
      },
    });
  }
  const { rows } = await at.pool.query("SELECT FROM app_lookups WHERE account_id = $1", [at.account]);
  expect(rows).toEqual([]);
});
