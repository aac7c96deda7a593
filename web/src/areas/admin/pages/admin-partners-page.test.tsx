import { type CurrencyRates, type PartnerTest, TEXTS } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { someListedPartner, somePartner } from "../testing/some-partner.ts";
import { AdminPartnerPage } from "./admin-partner-page.tsx";
import { AdminPartnersPage } from "./admin-partners-page.tsx";

const openOne = (at = "/admin/partners/xandr") => renderPage(AdminPartnerPage, "/admin/partners/$id", at);

const RATES: CurrencyRates = {
  rates: [
    { currency: "EUR", day: "2026-11-24", usd: 1.0545, source: "feed", is_current: true },
    { currency: "GBP", day: "2026-10-01", usd: 1.27, source: "hand", is_current: false },
  ],
  days: 7,
  has_feed: true,
};
const NONE_PAUSED = {
  "GET /admin/partner_breakers.json": () => ({ paused: [] }),
  "GET /admin/currency_rates.json": () => RATES,
  "GET /admin/kill_switches.json": () => ({ switches: [] }),
};
const region = async (name: string) => within(await screen.findByRole("region", { name }));

test("connected partners stand with their day and their state, above the catalogue", async () => {
  answerCalls({
    "GET /admin/partners.json": () => ({
      partners: [
        someListedPartner(),
        someListedPartner({ id: "acme", kind: "openrtb", name: "Acme", active: false, today: null }),
        someListedPartner({
          id: "criteo",
          kind: "criteo",
          name: "Criteo",
          connected: false,
          active: false,
          today: null,
        }),
      ],
    }),
    "GET /admin/partner_breakers.json": () => ({ paused: [{ id: "xandr", breaker: "open" }] }),
  });
  await renderPage(AdminPartnersPage, "/admin/partners");
  const connected = await region("Connected");
  const rows = (await connected.findAllByRole("row")).slice(1).map((row) => row.textContent);
  expect(rows[0]).toMatch(/^Xandrxandr.*Paused1\.0K25\.0%20\.0%31 ms84 ms2\.0%3$/);
  expect(rows[1]).toMatch(/^Acmeacme, openrtb.*Off–/);
  const catalogue = await region("Catalogue");
  expect(catalogue.getByRole("link", { name: "Connect Criteo" }).getAttribute("href")).toContain(
    "/admin/partners/criteo",
  );
});

test("the search finds partners by name, media type and vendor id, and says so if there is none", async () => {
  answerCalls({
    "GET /admin/partners.json": () => ({
      partners: [
        someListedPartner({ id: "criteo", kind: "criteo", name: "Criteo", connected: false, gvl_id: 91 }),
        someListedPartner({ id: "vungle", kind: "vungle", name: "Vungle", connected: false, media_types: ["video"] }),
      ],
    }),
    ...NONE_PAUSED,
  });
  await renderPage(AdminPartnersPage, "/admin/partners");
  const catalogue = await region("Catalogue");
  const names = async (search: string) => {
    const box = screen.getByLabelText("Search partner, format or vendor id");
    await userEvent.clear(box);
    await userEvent.type(box, `${search}{Enter}`);
    return catalogue.queryAllByRole("link", { name: /^Connect/ }).map((link) => link.getAttribute("aria-label"));
  };
  await catalogue.findByRole("link", { name: "Connect Criteo" });
  expect(await names("video vung")).toEqual(["Connect Vungle"]);
  expect(await names("91")).toEqual(["Connect Criteo"]);
  expect(await names("nobody")).toEqual([]);
  expect(catalogue.getByText("Nothing matches “nobody”.")).toBeTruthy();
});

test("another bidder needs an id that is free, and leads to its settings", async () => {
  answerCalls({ "GET /admin/partners.json": () => ({ partners: [someListedPartner()] }), ...NONE_PAUSED });
  await renderPage(AdminPartnersPage, "/admin/partners");
  await screen.findByText("Xandr");
  await userEvent.click(screen.getByRole("button", { name: "Connect another bidder" }));
  const id = await screen.findByLabelText("Id on this platform");
  for (const [typed, message] of [
    ["xandr", "There is one of this id"],
    ["A b", "Use up to 64 of a to z, 0 to 9, - and _"],
    ["campaigns", "Use another id"],
  ] as const) {
    await userEvent.clear(id);
    await userEvent.type(id, typed);
    await userEvent.click(screen.getByRole("button", { name: "Continue" }));
    expect(await screen.findByText(message)).toBeTruthy();
  }
});

test("a list that cannot be loaded says so, and is tried again", async () => {
  let fails = true;
  answerCalls({
    "GET /admin/partners.json": () => (fails ? refused(503, "The store is down") : { partners: [] }),
    ...NONE_PAUSED,
  });
  await renderPage(AdminPartnersPage, "/admin/partners");
  const connected = await region("Connected");
  const again = await connected.findByRole("button", { name: "Try again" }, { timeout: 10_000 });
  fails = false;
  await userEvent.click(again);
  expect(await connected.findByText(/Choose one in the catalogue below/)).toBeTruthy();
}, 20_000);

test("exchange rates stand with their day and source, one that is too old says so, and a rate is noted by hand", async () => {
  const sent = answerCalls({
    "GET /admin/partners.json": () => ({ partners: [] }),
    "POST /admin/currency_rates.json": () => RATES,
    ...NONE_PAUSED,
  });
  await renderPage(AdminPartnersPage, "/admin/partners");
  const block = await region("Exchange rates");
  const rows = (await block.findAllByRole("row")).slice(1).map((row) => row.textContent);
  expect(rows).toEqual([
    expect.stringMatching(/^EUR1\.0545.*the daily file $/),
    expect.stringMatching(/^GBP1\.27.*an admin Too old$/),
  ]);
  expect(block.getByText("A rate is used for 7 days. New ones are read every hour.")).toBeTruthy();
  await userEvent.click(block.getByRole("button", { name: "Note a rate" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.type(dialog.getByLabelText("Currency"), "usd");
  await userEvent.type(dialog.getByLabelText("US dollars for one unit"), "0");
  await userEvent.click(dialog.getByRole("button", { name: "Note rate" }));
  expect(await dialog.findByText("All rates are in US dollars")).toBeTruthy();
  expect(dialog.getByText("Use a number above 0")).toBeTruthy();
  await userEvent.clear(dialog.getByLabelText("Currency"));
  await userEvent.type(dialog.getByLabelText("Currency"), "jpy");
  await userEvent.clear(dialog.getByLabelText("US dollars for one unit"));
  await userEvent.type(dialog.getByLabelText("US dollars for one unit"), "0.0067");
  await userEvent.click(dialog.getByRole("button", { name: "Note rate" }));
  expect(await screen.findByText(/The rate of JPY is noted/)).toBeTruthy();
  expect(sent("POST /admin/currency_rates.json")[0]?.body).toMatchObject({ currency: "JPY", usd: 0.0067 });
});

test("settings are saved with what was typed; the server's faults stand at their fields", async () => {
  const sent = answerCalls({
    "GET /admin/partners/xandr.json": () => somePartner(),
    "PUT /admin/partners/xandr": ({ body }) =>
      (body as { qps_limit: number }).qps_limit === 10
        ? somePartner()
        : refused(400, { endpoint: "This address is in a private network", "schain_node.asi": "Use a real domain" }),
    ...NONE_PAUSED,
  });
  await openOne();
  const settings = await region("Settings");
  const limit = await settings.findByLabelText("Most requests per second");
  await userEvent.clear(limit);
  await userEvent.type(limit, "many");
  await userEvent.click(settings.getByRole("button", { name: "Save" }));
  expect(await settings.findByText("Use a number")).toBeTruthy();
  expect(sent("PUT /admin/partners/xandr")).toEqual([]);
  await userEvent.clear(limit);
  await userEvent.type(limit, "9");
  await userEvent.click(settings.getByRole("button", { name: "Save" }));
  expect(await settings.findByText("This address is in a private network")).toBeTruthy();
  expect(settings.getByText("Use a real domain")).toBeTruthy();
  await userEvent.clear(limit);
  await userEvent.type(limit, "10");
  await userEvent.type(settings.getByLabelText("Secret headers"), "x-key: k-1");
  await userEvent.click(settings.getByRole("button", { name: "Save" }));
  expect(await screen.findByText(/Xandr is saved/)).toBeTruthy();
  expect(sent("PUT /admin/partners/xandr").at(-1)?.body).toMatchObject({
    kind: "xandr",
    qps_limit: 10,
    credentials: { "x-key": "k-1" },
    headers: { "x-source": "a" },
  });
  expect(settings.getByLabelText<HTMLTextAreaElement>("Secret headers").value).toBe("");
});

test("settings that another admin has changed meanwhile are not overwritten, and can be reloaded", async () => {
  const { settings: first } = somePartner();
  let now = somePartner();
  const sent = answerCalls({
    "GET /admin/partners/xandr.json": () => now,
    "PUT /admin/partners/xandr": ({ query }) =>
      query.get("revision") === now.revision
        ? (now = { ...now, revision: `${now.revision}+` })
        : refused(409, TEXTS.stale),
    ...NONE_PAUSED,
  });
  await openOne();
  const settings = await region("Settings");
  const isOn = () => settings.getByLabelText<HTMLInputElement>("Ask this partner in auctions").checked;
  await userEvent.type(await settings.findByLabelText("Most requests per second"), "0");
  now = somePartner({ revision: "next", settings: { ...first, active: false } });
  const save = () => userEvent.click(settings.getByRole("button", { name: "Save" }));
  await save();
  await settings.findByText(TEXTS.stale);
  expect(isOn()).toBe(true);
  await userEvent.click(settings.getByRole("button", { name: "Reload" }));
  await waitFor(() => expect(isOn()).toBe(false));
  // The form stays after a save, and can be saved again.
  for (const revision of ["next", "next+"]) {
    await save();
    await waitFor(() => expect(sent("PUT /admin/partners/xandr").at(-1)?.query.get("revision")).toBe(revision));
    await waitFor(() => expect(settings.getByRole("button", { name: "Save" })).toHaveProperty("disabled", false));
  }
  expect(await screen.findByText(/Xandr is saved, and off/)).toBeTruthy();
});

test("a partner that is not connected yet says what to do, and asks for the adapter of its address", async () => {
  const sent = answerCalls({
    "GET /admin/partners/acme.json": () =>
      somePartner({ id: "acme", connected: false, today: null, adapter: { ...somePartner().adapter, endpoint: "" } }),
    ...NONE_PAUSED,
  });
  await openOne("/admin/partners/acme?kind=openrtb");
  expect(await screen.findByText(/It is not connected yet/)).toBeTruthy();
  expect(sent("GET /admin/partners/acme.json")[0]?.query.get("kind")).toBe("openrtb");
  expect(screen.getByRole("button", { name: "Connect" })).toBeTruthy();
});

const CALL: PartnerTest["calls"][number] = {
  request: {
    method: "POST",
    url: "https://bids.example/openrtb2",
    headers: { "x-key": "•••" },
    body: '{"id":"1"}',
    gzip: false,
  },
  response: { status: 200, latency_ms: 41.2, headers: {}, body: '{"id":"1"}' },
  failure: null,
  fault: null,
  reading: {
    currency: "USD",
    bids: [
      { price: 2.5, media_type: "banner", seat: null, advertiser: ["shop.example"], creative: null, refused: null },
    ],
    malformed: [],
  },
};

const REFUSED_READING = {
  currency: "EUR",
  bids: [
    {
      price: -1,
      media_type: "banner" as const,
      seat: null,
      advertiser: [],
      creative: null,
      refused: "The price is not above zero",
    },
  ],
  malformed: ["price must be a number"],
};

test("a test request needs the partner's keys, and shows request, response and reading", async () => {
  const results: PartnerTest[] = [
    { calls: [CALL], refused: null },
    { calls: [{ ...CALL, reading: REFUSED_READING }], refused: null },
    { calls: [{ ...CALL, response: null, reading: null, failure: "The connection failed" }], refused: null },
    { calls: [], refused: "Its address is in a private network" },
  ];
  const sent = answerCalls({
    "GET /admin/partners/xandr.json": () => somePartner(),
    "POST /admin/partners/xandr/test": () => results.shift(),
    ...NONE_PAUSED,
  });
  await openOne();
  const block = await region("Test request");
  const send = await block.findByRole("button", { name: "Send a test request" });
  await userEvent.click(send);
  expect(await block.findByText("This field is required")).toBeTruthy();
  await userEvent.type(block.getByLabelText("Placement *"), "7");
  await userEvent.click(send);
  expect(await block.findByText("It bids $2.5000 per thousand with a banner for shop.example.")).toBeTruthy();
  expect(sent("POST /admin/partners/xandr/test")[0]?.body).toEqual({ media_type: "banner", keys: { placement_id: 7 } });
  expect(block.getByRole("region", { name: "Request, as it was sent" }).textContent).toContain("x-key: •••");
  expect(block.getByText(/HTTP 200 after 41 ms/)).toBeTruthy();
  await userEvent.click(send);
  expect(
    await block.findByText(
      "It bids -1 EUR per thousand with a banner, and an auction would refuse that: The price is not above zero. A bid of it cannot be used: price must be a number.",
    ),
  ).toBeTruthy();
  await userEvent.click(send);
  expect(await block.findByText("The connection failed.")).toBeTruthy();
  await userEvent.click(send);
  expect(await block.findByText("Nothing was sent: Its address is in a private network.")).toBeTruthy();
});
