import { expect, test } from "vitest";
import { SETTING_NAMES, readSettings } from "./settings.ts";
import { StartError } from "./start-error.ts";

test("without any setting the platform runs on its own stores, on this machine alone, in demo mode", () => {
  expect(readSettings({})).toMatchObject({
    host: "127.0.0.1",
    port: 8080,
    dataDir: "data",
    publicUrl: undefined,
    databaseUrl: undefined,
    demo: true,
    revenueSharePpm: 800_000,
    trustedProxies: 0,
  });
});

test("an empty setting is an unset one", () => {
  expect(readSettings({ PORT: "", DATABASE_URL: "" })).toMatchObject({ port: 8080, demo: true });
});

test("with a database of the operator's the demo is off unless it is asked for", () => {
  const DATABASE_URL = "postgres://db.example.com/millrace";
  expect(readSettings({ DATABASE_URL }).demo).toBe(false);
  expect(readSettings({ DATABASE_URL, MILLRACE_DEMO: "1" }).demo).toBe(true);
  expect(readSettings({ MILLRACE_DEMO: "0" }).demo).toBe(false);
});

test("links never end up with two slashes", () => {
  expect(readSettings({ PUBLIC_URL: "https://ads.example.com/" }).publicUrl).toBe("https://ads.example.com");
});

test.each([
  ["PORT", "eighty"],
  ["PORT", "70000"],
  ["PUBLIC_URL", "ads.example.com"],
  ["DATABASE_URL", "mysql://db"],
  ["CLICKHOUSE_URL", "tcp://ch:9000"],
  ["MILLRACE_SECRET", "short"],
  ["MILLRACE_DEMO", "yes"],
  ["MILLRACE_DEMO_PASSWORD", "12345"],
  ["REVENUE_SHARE_PERCENT", "120"],
  ["TRACE_PERCENT", "-1"],
  ["TRUSTED_PROXIES", "1.5"],
  ["LOG_LEVEL", "loud"],
])("%s=%s stops the start with a sentence that names it", (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(StartError);
  expect(() => readSettings({ [name]: value })).toThrow(`The setting ${name} is wrong`);
  expect(SETTING_NAMES).toContain(name);
});
