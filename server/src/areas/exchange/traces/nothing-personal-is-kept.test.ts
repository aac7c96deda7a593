import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { explainAuction } from "@millrace/contract";
import { CONSENTED, tcf } from "../testing/consent-strings.ts";
import { PERSONAL, personalRequest, type Signals } from "../testing/personal-request.ts";
import { askOpenrtb } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { askForAd, DEVICE, fire, startSession } from "../testing/start-exchange.ts";
import type { Log } from "../../../platform/log.ts";

const at = await exchangeForEachTest();

const [ifa] = PERSONAL.deviceIds;
const [ip] = PERSONAL.address;
const IPV6 = "2001:db8:85a3:8d3:1319:8a2e:370:7348";
const KNOWN = [...Object.values(PERSONAL).flat(), IPV6, "person@example.com"];

/** The known texts found in a text, ignoring case. */
const knownIn = (text: string) => KNOWN.filter((known) => text.toLowerCase().includes(known.toLowerCase()));

async function everyTable(): Promise<string> {
  const { pool } = at.stores.pg;
  const tables = await pool.query<{ name: string }>(
    "SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'",
  );
  let text = "";
  for (const { name } of tables.rows) {
    text += JSON.stringify((await pool.query(`SELECT to_jsonb(t) AS row FROM ${name} t`)).rows);
  }
  const { read } = at.stores.clickhouse;
  const stored = await read.query({
    query: "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine NOT LIKE '%View'",
    format: "JSONEachRow",
  });
  for (const { name } of await stored.json<{ name: string }>()) {
    text += await (await read.query({ query: `SELECT * FROM \`${name}\``, format: "JSONEachRow" })).text();
  }
  return text;
}

async function everyFile(dir: string): Promise<string> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "latin1")));
  return texts.join("\n");
}

test("after auctions by SDK, OpenRTB and VAST no table, file or log line identifies the user", async () => {
  const lines: string[] = [];
  const keep = (facts: object, message: string) => {
    lines.push(
      message,
      JSON.stringify(facts, (_, value: unknown) => (value instanceof Error ? value.stack : value)),
    );
  };
  const log: Log = { debug: keep, info: keep, warn: keep, error: keep };
  await at.restart({ log });
  const buyer = await at.partner("buyer", bidsAt(2));
  const from = { "x-forwarded-for": ip };

  const device = { ...DEVICE, ifa, lmt: 0 };
  const session = await startSession(at.exchange, at.app, { device });
  const { ads } = await askForAd(at.exchange, session, { device }, from);
  await fire(at.exchange, ads[0]?.beacons.impression ?? "", from);
  await fire(at.exchange, ads[0]?.beacons.click ?? "", from);

  const request = personalRequest({}, "2.6");
  const { buyeruid, ...user } = request.user ?? {};
  const named = { ...user, ext: { ...user.ext, prebid: { buyeruids: { buyer: buyeruid } } } };
  await askOpenrtb(at.exchange, { ...request, user: named });
  const { app: _, ...page } = request;
  const domain = "com.example.game";
  await askOpenrtb(at.exchange, {
    ...page,
    device: { ...request.device, ip: undefined, ipv6: IPV6 },
    site: {
      domain,
      page: `https://${domain}/read?mail=person@example.com#person@example.com`,
      ref: `https://${domain}/?mail=person@example.com`,
      search: "person@example.com",
      ext: { mail: "person@example.com" },
    },
    ext: { prebid: { bidderconfig: [{ ortb2: { user: { id: PERSONAL.userIds[0] } } }] } },
  });
  await at.exchange.app.inject({
    method: "GET",
    url: `/vast?app=${at.app.uuid}&zone=player&ifa=${ifa}&lmt=0`,
    headers: from,
  });

  const traces = await at.exchange.rows<{ auction_id: string }>("traces");
  expect(traces).toHaveLength(4);
  expect(await at.exchange.rows("events")).not.toEqual([]);
  // Bidders did get all of the data, so there was something to remove.
  expect(knownIn(JSON.stringify(buyer.requests))).toEqual(expect.arrayContaining([...PERSONAL.userIds, ifa, ip, IPV6]));
  expect(knownIn(await everyTable())).toEqual([]);
  expect(knownIn(await everyFile(at.exchange.dataDir))).toEqual([]);
  expect(knownIn(lines.join("\n"))).toEqual([]);
  for (const { auction_id } of traces) {
    expect(await at.exchange.exchange.replayStored(auction_id)).toMatchObject({ same: true });
  }
});

test("a trace only has the device's keyed hash, as in its events, and its IP network", async () => {
  await at.partner("buyer", bidsAt(2));
  await askOpenrtb(at.exchange, personalRequest({}, "2.6"));
  const [row] = await at.exchange.rows<{ device: string }>("auctions");
  const [trace] = await at.exchange.rows<{ trace: string }>("traces");
  const { input } = JSON.parse(trace?.trace ?? "{}") as { input: { request: { device: object } } };
  expect(input.request.device).toMatchObject({ ifa: row?.device, ip: "81.2.69.0", geo: { country: "DEU" } });
  expect(row?.device).toMatch(/^\d{5,20}$/);
});

async function explained(signals: Signals) {
  await askOpenrtb(at.exchange, personalRequest(signals, "2.6"));
  const [row] = await at.exchange.rows<{ auction_id: string }>("traces");
  const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${row?.auction_id}.json` });
  return explainAuction.reply.parse(reply.json());
}

test("an auction's explanation lists what each partner was not sent, and why", async () => {
  await at.partner("buyer", bidsAt(2), { gvl_id: CONSENTED.id });
  await at.partner("nameless", bidsAt(3));
  const consent = tcf({ vendors: [91], purposes: [1, 2] });
  const { participants, replays } = await explained({ regs: { gdpr: 1 }, consent });
  expect(replays).toBe(true);
  expect(participants.map(({ provider, privacy, refusals }) => ({ provider, privacy, refusals }))).toEqual([
    {
      provider: "buyer",
      refusals: [],
      privacy: [
        {
          rule: "tcf_personalised_ads",
          text: "Shared ids and profile not sent: no consent for vendor 91 to personalise ads (TCF purposes 3 and 4)",
          fields: [
            "device.ext",
            "user.eids",
            "user.yob",
            "user.gender",
            "user.keywords",
            "user.customdata",
            "user.data",
            "user.ext",
          ],
        },
        {
          rule: "tcf_precise_location",
          text: "Full IP address and precise location not sent: no opt-in to precise location for vendor 91 (TCF special feature 1)",
          fields: ["device.ip", "device.geo"],
        },
      ],
    },
    {
      provider: "nameless",
      refusals: [{ imp: null, reason: expect.objectContaining({ code: "consent_unreachable" }) as object }],
      privacy: [],
    },
  ]);
});

test("an explanation names each signal that removed data", async () => {
  await at.partner("buyer", bidsAt(2));
  const { participants } = await explained({ regs: { us_privacy: "1YYN" }, device: { lmt: 1 } });
  const what = "Device id, user id, shared ids, full IP address, precise location and profile not sent";
  expect(participants[0]?.privacy.map(({ text }) => text)).toEqual([
    `${what}: the device limits ad tracking`,
    `${what}: the user has opted out of the sale of their data (US Privacy)`,
  ]);
});
