import { type AdminPartner, PLATFORMS } from "@millrace/contract";
import type { BidRequest } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { serveHttp } from "../../../platform/testing/serve-http.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { somePartner } from "../../../testing/some-partner.ts";
import { upsertPartner } from "../index.ts";
import { someSettings, startDemandPartners } from "../testing/start-demand-partners.ts";

const { pool } = await testPostgres();
const inDemo = await startDemandPartners(pool, true);
const inEarnest = await startDemandPartners(pool, false);

const save = (id: string, body: object, server = inDemo) =>
  server.inject({ method: "PUT", url: `/admin/partners/${id}`, payload: body });
const read = async (id: string) => (await inDemo.inject({ url: `/admin/partners/${id}.json` })).json<AdminPartner>();
/** The names of what each save of the partner changed, as the audit log has them. */
async function logged(id: string): Promise<string[][]> {
  const { rows } = await pool.query<{ changed: string[] }>(
    "SELECT details->'changed' AS changed FROM audit_log WHERE subject = $1 ORDER BY id",
    [id],
  );
  return rows.map(({ changed }) => changed);
}
const send = (id: string, body: object, server = inDemo) =>
  server.inject({ method: "POST", url: `/admin/partners/${id}/test`, payload: body });

test("a partner is connected for two regions, one with an address of its own, and the log names what changed", async () => {
  const inTwo = someSettings({
    kind: "smaato",
    regions: ["emea", "americas"],
    region_endpoints: { emea: "https://eu.bids.example/{{seat}}" },
  });
  expect((await save("smaato", inTwo)).json()).toMatchObject({
    settings: {
      endpoint: "",
      regions: ["americas", "emea"],
      region_endpoints: { emea: "https://eu.bids.example/{{seat}}" },
    },
  });
  await save("smaato", { ...inTwo, regions: ["americas", "emea", "apac"], region_endpoints: {} });
  expect((await read("smaato")).settings).toMatchObject({
    regions: ["americas", "emea", "apac"],
    region_endpoints: {},
  });
  expect((await logged("smaato")).map((changed) => changed.filter((field) => field.startsWith("region")))).toEqual([
    ["regions", "region_endpoints"],
    ["regions", "region_endpoints"],
  ]);
});

test("a partner that is saved as it was leaves no line in the log, in whatever order its settings come", async () => {
  const settings = someSettings({
    kind: "sovrn",
    media_types: ["video", "banner"],
    platforms: ["ios", "android"],
    region_endpoints: { americas: "https://us.bids.example", emea: "https://eu.bids.example" },
    headers: { "x-seat-name": "a", "x-b": "b" },
    platform_ids: { seller: "77", id: "8" },
  });
  await save("sovrn", settings);
  const before = await logged("sovrn");
  expect(before).toHaveLength(1);
  expect((await save("sovrn", settings)).statusCode).toBe(200);
  await save("sovrn", { ...(await read("sovrn")).settings, credentials: null });
  expect(await logged("sovrn")).toEqual(before);
  await save("sovrn", { ...settings, region_endpoints: { americas: "https://us.bids.example" } });
  expect((await logged("sovrn")).slice(1)).toEqual([["region_endpoints"]]);
});

test.each([
  ["was saved before there was a choice", "north", null],
  ["has all platforms by name", "south", PLATFORMS],
])(
  "a partner that %s is asked for all platforms and in all regions, and saving it changes neither",
  async (_, id, platforms) => {
    await upsertPartner(pool, somePartner({ id }));
    await pool.query("UPDATE partners SET platforms = $2 WHERE id = $1", [id, platforms]);
    const { settings } = await read(id);
    expect(settings).toMatchObject({
      regions: ["americas", "emea", "apac"],
      region_endpoints: {},
      platforms: PLATFORMS,
    });
    await save(id, { ...settings, credentials: null, name: "By the sea" });
    expect(await logged(id)).toEqual([["name"]]);
    expect((await read(id)).settings).toEqual({ ...settings, name: "By the sea" });
  },
);

test("outside demo mode, a private endpoint of a region is neither saved nor called", async () => {
  const outside = "https://8.8.8.8/bid";
  const inEurope = { emea: "http://10.0.0.1/bid", americas: outside };
  const settings = someSettings({
    kind: "openrtb",
    media_types: ["banner"],
    endpoint: outside,
    region_endpoints: inEurope,
  });
  const reply = await save("inside", settings, inEarnest);
  expect([reply.statusCode, reply.json()]).toEqual([
    400,
    { error: { "region_endpoints.emea": "This address is in a private network" } },
  ]);
  await upsertPartner(pool, somePartner({ id: "inside", endpoint: outside, region_endpoints: inEurope }));
  const tested = await send("inside", { media_type: "banner", keys: {}, region: "emea" }, inEarnest);
  expect(tested.json()).toEqual({ calls: [], refused: "Its address is in a private network" });
  await pool.query("DELETE FROM partners WHERE id = 'inside'");
});

test("a test request goes to the chosen region's endpoint from a country of it, or to the main one from where that is asked", async () => {
  const heard: string[] = [];
  const answering = (place: string) =>
    serveHttp((message, reply) => {
      let body = "";
      message.on("data", (chunk: Buffer) => (body += chunk.toString()));
      message.on("end", () => {
        heard.push(`${place} ${(JSON.parse(body) as BidRequest).device?.geo?.country}`);
        reply.writeHead(204).end();
      });
    });
  const [main, europe] = [await answering("main"), await answering("europe")];
  const regions = { regions: ["emea", "apac"], region_endpoints: { emea: `${europe}/bid` } };
  await upsertPartner(pool, somePartner({ id: "regional", endpoint: `${main}/bid`, ...regions }));
  for (const region of [undefined, "emea", "apac"]) {
    await send("regional", { media_type: "banner", keys: {}, ...(region && { region }) });
  }
  expect(heard).toEqual(["main JPN", "europe DEU", "main JPN"]);
  // No country leads to the main endpoint of a partner with an address in each of its regions, but an unknown one may.
  await upsertPartner(pool, somePartner({ id: "regional", endpoint: `${main}/bid`, ...regions, regions: ["emea"] }));
  await send("regional", { media_type: "banner", keys: {} });
  expect(heard.at(-1)).toBe("main DEU");
  const elsewhere = await send("regional", { media_type: "banner", keys: {}, region: "americas" });
  expect(elsewhere.json()).toEqual({ calls: [], refused: "It is not asked in this region: Americas" });
  expect((await send("regional", { media_type: "banner", keys: {}, region: "atlantis" })).statusCode).toBe(400);
});
