import type { AdminPartner } from "@millrace/contract";
import type { BidRequest } from "@millrace/openrtb";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveHttp } from "../../../platform/testing/serve-http.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { somePartner } from "../../../testing/some-partner.ts";
import { upsertPartner } from "../index.ts";
import { someSettings, startDemandPartners } from "../testing/start-demand-partners.ts";

const { pool } = await testPostgres();
let inDemo: FastifyInstance;
let inEarnest: FastifyInstance;

beforeAll(async () => {
  inDemo = await startDemandPartners(pool, true);
  inEarnest = await startDemandPartners(pool, false);
  await upsertPartner(pool, somePartner({ id: "north", name: "North" }));
});
afterAll(async () => {
  await inDemo.close();
  await inEarnest.close();
});

const save = (id: string, body: object, server = inDemo) =>
  server.inject({ method: "PUT", url: `/admin/partners/${id}`, payload: body });
const read = async (id: string) => (await inDemo.inject({ url: `/admin/partners/${id}.json` })).json<AdminPartner>();
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
  const { rows } = await pool.query<{ details: { changed: string[] } }>(
    "SELECT details FROM audit_log WHERE subject = 'smaato' ORDER BY id",
  );
  expect(rows.map(({ details }) => details.changed.filter((field) => field.startsWith("region")))).toEqual([
    ["regions", "region_endpoints"],
    ["regions", "region_endpoints"],
  ]);
});

test("a partner of before regions is asked in all of them, and saving it changes none", async () => {
  const { id, settings } = await read("north");
  expect(settings).toMatchObject({ regions: ["americas", "emea", "apac"], region_endpoints: {} });
  await save(id, { ...settings, credentials: null, name: "North Sea" });
  const { rows } = await pool.query<{ details: { changed: string[] } }>(
    "SELECT details FROM audit_log WHERE subject = 'north' ORDER BY id DESC LIMIT 1",
  );
  expect(rows[0]?.details.changed).toEqual(expect.not.arrayContaining(["regions", "region_endpoints"]));
  await save(id, { ...settings, credentials: null });
});

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

test("a test request goes to the chosen region's endpoint from a country of it, or to the main one", async () => {
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
  expect(heard).toEqual(["main DEU", "europe DEU", "main JPN"]);
  const elsewhere = await send("regional", { media_type: "banner", keys: {}, region: "americas" });
  expect(elsewhere.json()).toEqual({ calls: [], refused: "It is not asked in this region: Americas" });
  expect((await send("regional", { media_type: "banner", keys: {}, region: "atlantis" })).statusCode).toBe(400);
});
