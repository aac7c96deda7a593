import { expect, test } from "vitest";
import { SETTING_NAMES, readSettings } from "./settings.ts";
import { StartError } from "./start-error.ts";

test("without settings the platform uses embedded stores, listens only on this machine, and runs in demo mode", () => {
  expect(readSettings({})).toMatchObject({
    host: "127.0.0.1",
    port: 8080,
    dataDir: "data",
    publicUrl: undefined,
    databaseUrl: undefined,
    demo: true,
    revenueSharePpm: 800_000,
    trustedProxies: 0,
    callsPerMinute: 600,
  });
});

test("an empty setting is an unset one", () => {
  expect(readSettings({ PORT: "", DATABASE_URL: "" })).toMatchObject({ port: 8080, demo: true });
});

test("a setting of spaces alone is an unset one, so that publishers keep their share", () => {
  const settings = readSettings({ PORT: " ", REVENUE_SHARE_PERCENT: " ", TRACE_PERCENT: "\t", OPERATOR_NAME: " " });
  expect(settings).toMatchObject({ port: 8080, revenueSharePpm: 800_000, traceShare: 0.01 });
  expect(settings.operator.name).toBe("The operator of this platform");
});

test("with DATABASE_URL the demo is off unless it is enabled", () => {
  const DATABASE_URL = "postgres://db.example.com/millrace";
  expect(readSettings({ DATABASE_URL }).demo).toBe(false);
  expect(readSettings({ DATABASE_URL, MILLRACE_DEMO: "1" }).demo).toBe(true);
  expect(readSettings({ MILLRACE_DEMO: "0" }).demo).toBe(false);
});

test("the GDPR applies in the European Economic Area and the United Kingdom unless other countries are set", () => {
  const countriesOf = (setting?: string) => [...readSettings({ GDPR_COUNTRIES: setting }).gdprCountries];
  expect(countriesOf()).toHaveLength(39);
  expect(countriesOf()).toEqual(expect.arrayContaining(["DE", "FR", "RE", "NO", "GB"]));
  expect(countriesOf("de, CH,fr")).toEqual(["DE", "CH", "FR"]);
  expect([countriesOf("none"), countriesOf("None")]).toEqual([[], []]);
});

test("links never end up with two slashes", () => {
  expect(readSettings({ PUBLIC_URL: "https://ads.example.com/" }).publicUrl).toBe("https://ads.example.com");
});

test.each([
  ["PORT", "eighty"],
  ["PORT", "70000"],
  ["PUBLIC_URL", "ads.example.com"],
  ["PUBLIC_URL", "https://example.com/ads"],
  ["PUBLIC_URL", "https://example.com/?from=mail"],
  ["DATABASE_URL", "mysql://db"],
  ["CLICKHOUSE_URL", "tcp://ch:9000"],
  ["MILLRACE_SECRET", "short"],
  ["MILLRACE_SECRET", "a sentence is as many secrets as it has words"],
  ["MILLRACE_SECRET", `${"s".repeat(32)},short`],
  ["MILLRACE_SECRET", " , "],
  ["MILLRACE_DEMO", "yes"],
  ["MILLRACE_DEMO_PASSWORD", "12345"],
  ["REVENUE_SHARE_PERCENT", "120"],
  ["REVENUE_SHARE_PERCENT", "1"],
  ["HOST", "999.1.1.1"],
  ["HOST", "localhost/x"],
  ["HOST", "me@localhost"],
  ["GDPR_COUNTRIES", "UK"],
  ["GDPR_COUNTRIES", "Germany"],
  ["GDPR_COUNTRIES", "DE;FR"],
  ["TRACE_PERCENT", "-1"],
  ["TRUSTED_PROXIES", "1.5"],
  ["CALLS_PER_MINUTE", "0"],
  ["LOG_LEVEL", "loud"],
  ["SMTP_URL", "mail.example.com:25"],
  ["SMTP_URL", "http://mail.example.com"],
  ["METRICS_TOKEN", "too-short"],
  ["MAIL_FROM", "Millrace"],
  ["MAIL_FROM", "Millrace <a@example.com>\r\nBcc: b@example.com"],
  ["MAIL_FROM", "A\n <a@example.com>"],
  ["MAIL_FROM", "a@example.com, b@example.com"],
  ["OPERATOR_NAME", "Two\nlines"],
  ["OPERATOR_EMAIL", "operator"],
  ["OPERATOR_ADDRESS", "Street 1\r\nCity"],
  ["GOOGLE_ISSUER", "accounts.google.com"],
  ["FACEBOOK_ISSUER", "ftp://www.facebook.com"],
  ["GOOGLE_ISSUER", "http://accounts.google.com"],
  ["GOOGLE_ISSUER", "http://127.0.0.1.example.com"],
])("%s=%s stops the start with a sentence that names it", (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(StartError);
  expect(() => readSettings({ [name]: value })).toThrow(`The setting ${name} is wrong`);
  expect(SETTING_NAMES).toContain(name);
});

test.each([
  ["PORT", "eighty", "must be a number"],
  ["PORT", "8080.5", "must be a whole number"],
  ["EXCHANGES", "0", "must be 1 or more"],
  ["PAYOUT_DAY", "29", "must be 28 or less"],
  ["REVENUE_SHARE_PERCENT", "0.8", "must be in percent, such as 80"],
  ["MILLRACE_DEMO", "true", "must be 0 or 1"],
  ["LOG_LEVEL", "trace", "must be debug, info, warn, error or silent"],
  ["MILLRACE_DEMO_PASSWORD", "12345", "must have 6 characters or more"],
  ["MILLRACE_DEMO_SEED", "s".repeat(65), "must have 64 characters or fewer"],
  ["OPERATOR_EMAIL", "operator", "must be an e-mail address"],
  ["OPERATOR_COUNTRY", "XX", "must be a country's code in capital letters, such as DE"],
  ["OPERATOR_COUNTRY", "UK", "must be a country's code in capital letters, such as DE"],
  ["PUBLIC_URL", "https://example.com/ads", "must be an address without a path"],
])("%s=%s is refused because it %s", (name, value, rule) => {
  expect(() => readSettings({ [name]: value })).toThrow(new StartError(`The setting ${name} is wrong: ${rule}.`));
});

test("without settings mails are files, and there are no identity providers and no operator name", () => {
  expect(readSettings({})).toMatchObject({
    smtpUrl: undefined,
    mailFrom: "Millrace <no-reply@localhost>",
    operator: { name: "The operator of this platform", email: undefined, address: undefined },
    social: {},
    intercom: undefined,
  });
});

test.each(["Millrace <ads@example.com>", "<ads@example.com>", "ads@example.com", "Müller & Söhne <ads@localhost>"])(
  "mails can be sent from %s",
  (MAIL_FROM) => {
    expect(readSettings({ MAIL_FROM }).mailFrom).toBe(MAIL_FROM);
  },
);

test("an identity provider is offered with its id and secret, at its own issuer unless another is set", () => {
  const google = { GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" };
  expect(readSettings(google).social).toEqual({
    google: { clientId: "id", clientSecret: "secret", issuer: "https://accounts.google.com" },
  });
  const facebook = {
    FACEBOOK_CLIENT_ID: "id",
    FACEBOOK_CLIENT_SECRET: "secret",
    FACEBOOK_ISSUER: "https://id.example.com",
  };
  expect(Object.keys(readSettings({ ...google, ...facebook }).social)).toEqual(["google", "facebook"]);
  expect(readSettings(facebook).social.facebook?.issuer).toBe("https://id.example.com");
  expect(readSettings({ INTERCOM_APP_ID: "app", INTERCOM_SECRET: "s" }).intercom).toEqual({
    appId: "app",
    secret: "s",
  });
});

test.each(["http://localhost:9000", "http://127.0.0.1:9000", "http://[::1]:9000"])(
  "an identity provider on this machine, %s, does not need HTTPS",
  (GOOGLE_ISSUER) => {
    const { google } = readSettings({ GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret", GOOGLE_ISSUER }).social;
    expect(google?.issuer).toBe(GOOGLE_ISSUER);
  },
);

test.each([
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["FACEBOOK_CLIENT_ID", "FACEBOOK_CLIENT_SECRET"],
  ["INTERCOM_APP_ID", "INTERCOM_SECRET"],
  ["TIPALTI_PAYER", "TIPALTI_KEY"],
])("%s and %s must both be set, or the start stops and names the missing one", (one, other) => {
  expect(() => readSettings({ [one]: "x" })).toThrow(
    new StartError(`The setting ${other} is missing: ${one} is set without it.`),
  );
  expect(() => readSettings({ [other]: "x" })).toThrow(
    new StartError(`The setting ${one} is missing: ${other} is set without it.`),
  );
  expect(() => readSettings({ [one]: "x", [other]: "" })).toThrow(StartError);
});

test("Tipalti pays if its account is set, in its sandbox if asked for, and never in a demo", () => {
  const account = { TIPALTI_PAYER: "Studio", TIPALTI_KEY: "k" };
  expect(readSettings({ MILLRACE_DEMO: "0" }).tipalti).toBeUndefined();
  expect(readSettings({ ...account, MILLRACE_DEMO: "0" }).tipalti).toEqual({
    payer: "Studio",
    key: "k",
    sandbox: false,
  });
  expect(readSettings({ ...account, MILLRACE_DEMO: "0", TIPALTI_SANDBOX: "1" }).tipalti?.sandbox).toBe(true);
  expect(() => readSettings(account)).toThrow(
    new StartError("The setting TIPALTI_PAYER is wrong: a demo must not pay anybody."),
  );
});
