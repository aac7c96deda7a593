import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readRecord, readRecords, sameness, writeFile, writeRecord } from "./app-ads-file.ts";
import { appAdsLines } from "./app-ads-lines.ts";
import { somePartner } from "../../../testing/some-partner.ts";
import { checkAppAds } from "./check-app-ads.ts";

test("a record is parsed in every form that the specification allows", () => {
  expect(readRecord("  Exchange.Example ,  pub-1,direct , f08c47fec0942fa0 # our own ;x=1")).toEqual({
    system: "exchange.example",
    accountId: "pub-1",
    relation: "DIRECT",
    certification: "f08c47fec0942fa0",
  });
});

test.each([
  "",
  "# only words",
  "OWNERDOMAIN=a.example",
  "a.example, 1",
  "a.example, 1, FRIEND",
  "nodomain, 1, DIRECT",
  ", 1, DIRECT",
])("%j is not a record", (line) => {
  expect(readRecord(line)).toBeNull();
});

test("a written file is read back unchanged, even among other lines", () => {
  const part = fc.stringMatching(/^[a-z0-9]{1,20}$/);
  const record = fc.record({
    system: part.map((name) => `${name}.example`),
    accountId: part,
    relation: fc.constantFrom("DIRECT" as const, "RESELLER" as const),
  });
  fc.assert(
    fc.property(fc.array(record), fc.constantFrom("\n", "\r\n", "\r"), fc.string(), (records, end, noise) => {
      const comment = `# ${noise.replaceAll(/[\r\n]/g, " ")}`;
      const file = records.flatMap((each) => [comment, writeRecord(each)]).join(end);
      expect(readRecords(file)).toEqual(records);
    }),
  );
});

test("the certification id does not identify a record, the account id does", () => {
  const record = { system: "a.example", accountId: "1", relation: "DIRECT" } as const;
  expect(sameness({ ...record, certification: "x" })).toBe(sameness(record));
  expect(sameness({ ...record, accountId: "2" })).not.toBe(sameness(record));
});

const PLATFORM = { system: "ads.example.com", accountId: "me", relation: "DIRECT" } as const;
const partner = (id: string, app_ads_lines: string[], active = true) =>
  somePartner({ id, name: id.toUpperCase(), active, app_ads_lines });
const key = (partner_id: string, keys: Record<string, unknown>, enabled = true) => ({
  app_id: 1,
  partner_id,
  format: "banner" as const,
  keys,
  enabled,
});

test("an account's lines are the platform's, and those of active partners with the keys filled in", () => {
  const { lines } = appAdsLines({
    platform: PLATFORM,
    partners: [
      partner("north", ["north.example, {seat}, DIRECT, abc", "shared.example, 7, RESELLER"]),
      partner("south", ["shared.example, 7, RESELLER"]),
      partner("asleep", ["asleep.example, 1, DIRECT"], false),
      partner("keyless", ["keyless.example, 1, DIRECT"]),
    ],
    keys: [
      key("north", { seat: "s-1" }),
      key("north", { seat: "s-2" }),
      key("north", {}),
      key("south", {}),
      key("asleep", {}),
      key("keyless", {}, false),
    ],
  });
  expect(lines.map(({ line, partners }) => [line, partners.map(({ name }) => name)])).toEqual([
    ["ads.example.com, me, DIRECT", ["This platform"]],
    ["north.example, s-1, DIRECT, abc", ["NORTH"]],
    ["north.example, s-2, DIRECT, abc", ["NORTH"]],
    ["shared.example, 7, RESELLER", ["NORTH", "SOUTH"]],
  ]);
});

test("a line that cannot be filled in is reported with its missing keys", () => {
  const { lines, leftOut } = appAdsLines({
    platform: { ...PLATFORM, system: "127.0.0.1" },
    partners: [
      partner("north", ["north.example, {seat}, DIRECT", "resale.example, {reseller}, RESELLER"]),
      partner("south", ["south.example, {account}, DIRECT"]),
      partner("full", ["full.example, {seat}, DIRECT"]),
      partner("keyless", ["keyless.example, {seat}, DIRECT"]),
    ],
    keys: [key("north", { seat: "s-1" }), key("south", { account: " " }), key("full", {}), key("full", { seat: 7 })],
  });
  expect(lines.map(({ line }) => line)).toEqual(["north.example, s-1, DIRECT", "full.example, 7, DIRECT"]);
  expect(leftOut).toEqual([
    { partner: "NORTH", line: "resale.example, {reseller}, RESELLER", keys: ["reseller"] },
    { partner: "SOUTH", line: "south.example, {account}, DIRECT", keys: ["account"] },
  ]);
});

test("a key cannot inject a line or a field", () => {
  const hostile = { seat: "1, DIRECT\nevil.example, 2, DIRECT # " };
  const { lines } = appAdsLines({
    platform: PLATFORM,
    partners: [partner("n", ["n.example, {seat}, DIRECT"])],
    keys: [key("n", hostile)],
  });
  const file = writeFile({ ownerDomain: null, managerDomain: "ads.example.com", lines: lines.map(({ line }) => line) });
  expect(readRecords(file).map(({ system }) => system)).toEqual(["ads.example.com", "n.example"]);
});

test("a platform without a public domain has no line", () => {
  expect(appAdsLines({ platform: { ...PLATFORM, system: "127.0.0.1" }, partners: [], keys: [] }).lines).toEqual([]);
  expect(writeFile({ ownerDomain: "a.example", managerDomain: "127.0.0.1", lines: [] })).toBe(
    "OWNERDOMAIN=a.example\n",
  );
});

const { lines } = appAdsLines({
  platform: PLATFORM,
  partners: [
    partner("north", ["north.example, 1, DIRECT", "resale.example, 2, RESELLER"]),
    partner("south", ["south.example, 3, DIRECT"]),
  ],
  keys: [key("north", {}), key("south", {})],
});
const revenueOf = new Map([
  ["north", 5_000_000],
  ["south", 7_000_000],
]);
const answering = (answer: Awaited<ReturnType<Parameters<typeof checkAppAds>[0]["readOnce"]>>) => ({
  readOnce: async () => answer,
});
const PLAIN = { location: undefined, contentType: "text/plain" };

test("the missing lines of a site's file are reported with the revenue at risk, counting each partner once", async () => {
  const body = "# ours\nADS.example.com, me, direct\nsouth.example,3,DIRECT\n";
  const found = await checkAppAds(answering({ ok: true, status: 200, body, ...PLAIN }), {
    domain: "studio.example",
    lines,
    revenueOf,
  });
  expect(found).toEqual({
    url: "https://studio.example/app-ads.txt",
    problem: null,
    found: 2,
    missing: [
      { line: "north.example, 1, DIRECT", partners: ["NORTH"], revenue: 5_000_000 },
      { line: "resale.example, 2, RESELLER", partners: ["NORTH"], revenue: 5_000_000 },
    ],
    revenue_at_risk: 5_000_000,
  });
});

test.each([
  [
    { ok: true, status: 404, body: "south.example, 3, DIRECT", ...PLAIN } as const,
    "The site has no file for buyers: it answered 404",
  ],
  [{ ok: false, reason: "timeout", isUnconnected: false } as const, "The site did not answer within five seconds"],
  [{ ok: false, reason: "closed_address", isUnconnected: true } as const, "The address is in a private network"],
])("an unreadable site gives the reason and counts every line as missing", async (answer, problem) => {
  const found = await checkAppAds(answering(answer), { domain: "studio.example", lines, revenueOf });
  expect([found.problem, found.found, found.missing.length, found.revenue_at_risk]).toEqual([
    problem,
    0,
    4,
    12_000_000,
  ]);
});
