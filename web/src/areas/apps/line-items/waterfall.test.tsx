import type { LineItem, LineItems } from "@millrace/contract";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { openPage, someApp, UUID } from "../testing/open-page.tsx";
import { someMediation } from "../testing/some-mediation.ts";
import { Waterfall } from "./waterfall.tsx";
import { repriced, waterfallRows } from "./waterfall-rows.ts";

const item = (some: Partial<LineItem> = {}): LineItem => ({
  uuid: "00000000-0000-4000-8000-0000000000aa",
  revision: "a-revision",
  name: "Cedar",
  format: "banner",
  zones: [],
  enabled: true,
  source: { kind: "html", html: "<p>Ad</p>", size: { w: 320, h: 50 } },
  prices: [
    { country: null, price: 3_000_000 },
    { country: "US", price: 2_000_000 },
  ],
  gvl_id: null,
  expected: [
    { country: null, price: 2_700_000, low: 2_400_000, high: 3_000_000 },
    { country: "US", price: 1_000_000, low: 900_000, high: 1_100_000 },
  ],
  paid: 340,
  steps: { tried: 0, filled: 0 },
  yesterday: { impressions: 1200, expected: 3_240_000, countries: { US: 3_000_000, DE: 240_000 } },
  ...some,
});
const replyOf = (...items: LineItem[]): LineItems => ({ app: someApp(), day: "2026-11-23", items });
const { partners } = someMediation();

test("bidders and line items are one list by price, in the country that is looked at, with those that are off at its end", () => {
  const off = item({ uuid: "00000000-0000-4000-8000-0000000000bb", name: "Off", enabled: false });
  const video = item({ uuid: "00000000-0000-4000-8000-0000000000cc", name: "Video", format: "video" });
  const names = (country: string | undefined, format?: "banner") =>
    waterfallRows({ partners, items: [off, item(), video], format, country }).map(({ name, price }) => [name, price]);
  expect(names(undefined, "banner")).toEqual([
    ["Cedar", 2_700_000],
    ["Alpha", 2_500_000],
    ["Off", 2_700_000],
  ]);
  expect(names("US", "banner")).toEqual([
    ["Alpha", 2_500_000],
    ["Cedar", 1_000_000],
    ["Off", 1_000_000],
  ]);
  expect(names(undefined).map(([name]) => name)).toContain("Video");
  // A country without a price has no place in the order.
  const inUs = item({
    prices: [{ country: "US", price: 1 }],
    expected: [{ country: "US", price: 1, low: 1, high: 1 }],
  });
  expect(waterfallRows({ partners: [], items: [inUs], format: undefined, country: "DE" })[0]?.price).toBeNull();
});

test("a line item's expectation of yesterday is that of the country that is looked at", () => {
  const expected = (country: string | undefined) =>
    waterfallRows({ partners: [], items: [item()], format: undefined, country }).map(({ yesterday }) => yesterday);
  expect([undefined, "US", "DE", "FR"].flatMap(expected)).toEqual([3_240_000, 3_000_000, 240_000, 0]);
});

test("another price is that of its country, and leaves the others", () => {
  expect(repriced(item(), "US", 7).prices).toEqual([
    { country: null, price: 3_000_000 },
    { country: "US", price: 7 },
  ]);
  expect(repriced(item(), "DE", 7).prices).toHaveLength(3);
  expect(repriced(item(), null, 7).prices).toEqual([
    { country: "US", price: 2_000_000 },
    { country: null, price: 7 },
  ]);
});

const call = (method: string, rest: string) => `${method} /apps/${UUID}/${rest}`;

async function open(more: Parameters<typeof answerCalls>[0] = {}) {
  const sent = answerCalls({
    [call("GET", "mediation.json")]: () => someMediation(),
    [call("GET", "line_items.json")]: () => replyOf(item()),
    ...more,
  });
  const address = { format: undefined, country: undefined };
  const { router } = await openPage(() => <Waterfall uuid={UUID} address={address} exploration={5} />, { path: "/" });
  return { sent, router, list: within(await screen.findByRole("list", { name: "Waterfall of the app" })) };
}

test("a price is typed, or moved by the keys of its slider, and saved; what is not saved can be taken back", async () => {
  const { sent, list } = await open({
    [call("PUT", `line_items/${item().uuid}`)]: () =>
      replyOf(
        item({
          prices: [{ country: null, price: 4_500_000 }],
          expected: [{ country: null, price: 4_000_000, low: 3_500_000, high: 4_500_000 }],
        }),
      ),
  });
  const field = await list.findByLabelText<HTMLInputElement>("Stated price of Cedar in $");
  expect(field.value).toBe("3");
  expect(list.getByText("$2.4000 to $3.0000")).toBeTruthy();
  expect(list.getByText("$3.24")).toBeTruthy();
  expect(screen.getByText("5% of auctions explore")).toBeTruthy();
  const slider = list.getByRole<HTMLInputElement>("slider", { name: "Price of Cedar on the axis" });
  fireEvent.change(slider, { target: { value: "1000" } });
  expect(Number(field.value)).toBeGreaterThan(3);
  await userEvent.click(list.getByRole("button", { name: "Undo the price of Cedar" }));
  expect(field.value).toBe("3");
  expect(document.activeElement).toBe(field);
  await userEvent.clear(field);
  await userEvent.type(field, "free");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  const fault = list.getByText("Use a price like 2.50, above 0 and at most 1000");
  expect(field.getAttribute("aria-describedby")).toBe(fault.id);
  expect(list.getByRole<HTMLButtonElement>("button", { name: "Save price of Cedar" }).disabled).toBe(true);
  await userEvent.clear(field);
  await userEvent.type(field, "4.50");
  await userEvent.click(list.getByRole("button", { name: "Save price of Cedar" }));
  await waitFor(() => expect(list.queryByRole("button", { name: "Save price of Cedar" })).toBeNull());
  expect(field.value).toBe("4.5");
  expect(document.activeElement).toBe(field);
  expect(sent(call("PUT", `line_items/${item().uuid}`))[0]?.body).toMatchObject({
    name: "Cedar",
    prices: [
      { country: "US", price: 2_000_000 },
      { country: null, price: 4_500_000 },
    ],
  });
});

test("where no country is chosen, a price of one country says which, and is saved for it", async () => {
  const only = (price: number) => replyOf(item({ prices: [{ country: "US", price }] }));
  const { sent, list } = await open({
    [call("GET", "line_items.json")]: () => only(2_000_000),
    [call("PUT", `line_items/${item().uuid}`)]: () => only(4_000_000),
  });
  const field = await list.findByLabelText("Stated price of Cedar in US in $");
  expect(list.getByText("stated in US $")).toBeTruthy();
  await userEvent.clear(field);
  await userEvent.type(field, "4");
  await userEvent.click(list.getByRole("button", { name: "Save price of Cedar" }));
  await waitFor(() => expect(list.queryByRole("button", { name: "Save price of Cedar" })).toBeNull());
  const [saved] = sent(call("PUT", `line_items/${item().uuid}`));
  expect(saved?.body).toMatchObject({ prices: [{ country: "US", price: 4_000_000 }] });
});

test("no error is shown for a price that was saved although its reply was lost", async () => {
  let stated = 3_000_000;
  const { list } = await open({
    [call("GET", "line_items.json")]: () => replyOf(item({ prices: [{ country: null, price: stated }] })),
    [call("PUT", `line_items/${item().uuid}`)]: () => {
      stated = 4_000_000;
      return new Response("", { status: 502 });
    },
  });
  const field = await list.findByLabelText<HTMLInputElement>("Stated price of Cedar in $");
  await userEvent.clear(field);
  await userEvent.type(field, "4{Enter}");
  await waitFor(() => expect(list.queryByRole("button", { name: "Save price of Cedar" })).toBeNull());
  expect([field.value, list.queryByRole("alert")]).toEqual(["4", null]);
});

test("a typed price is saved by Enter, and is not left without a question", async () => {
  const { sent, list, router } = await open({
    [call("PUT", `line_items/${item().uuid}`)]: () => replyOf(item({ prices: [{ country: null, price: 4_000_000 }] })),
  });
  const field = await list.findByLabelText<HTMLInputElement>("Stated price of Cedar in $");
  await userEvent.clear(field);
  await userEvent.type(field, "0,500{Enter}");
  expect(list.getByRole("button", { name: "Save price of Cedar" })).toBeTruthy();
  void router.navigate({ to: "/support" });
  await userEvent.click(await screen.findByRole("button", { name: "Stay here" }));
  await userEvent.clear(field);
  await userEvent.type(field, "4{Enter}");
  await waitFor(() => expect(list.queryByRole("button", { name: "Save price of Cedar" })).toBeNull());
  expect(sent(call("PUT", `line_items/${item().uuid}`)).map(({ body }) => body)).toMatchObject([
    { prices: [{ country: "US" }, { country: null, price: 4_000_000 }] },
  ]);
});

test("a price that is refused says why and stays typed", async () => {
  const { list } = await open({
    [call("PUT", `line_items/${item().uuid}`)]: () => refused(409, "The account is locked"),
  });
  const field = await list.findByLabelText<HTMLInputElement>("Stated price of Cedar in $");
  await userEvent.clear(field);
  await userEvent.type(field, "4");
  await userEvent.click(list.getByRole("button", { name: "Save price of Cedar" }));
  expect((await list.findByRole("alert")).textContent).toBe("The account is locked");
  expect(field.value).toBe("4");
});

test("an adapter's row says how often it had an ad, and one of which nothing was told says nothing", async () => {
  const sdk = { source: { kind: "sdk", adapter: "Cedar", params: {} }, steps: { tried: 1240, filled: 775 } } as const;
  const { list } = await open({
    [call("GET", "line_items.json")]: () =>
      replyOf(item(sdk), item({ uuid: "00000000-0000-4000-8000-0000000000dd", name: "Tag" })),
  });
  expect(await list.findByText(/had an ad in/)).toHaveProperty(
    "textContent",
    "SDK adapter, had an ad in 62.5% of 1,240 tries",
  );
  expect(list.getAllByText(/had an ad in/)).toHaveLength(1);
});

test("campaigns are named as what they are, since nobody is asked for them", async () => {
  const own = { id: "campaigns", name: "Campaigns", keyed: [], median_bid: 900_000 };
  const { list } = await open({
    [call("GET", "mediation.json")]: () => someMediation(({ id }) => (id === "alpha" ? own : {})),
  });
  const row = within((await list.findByText("Campaigns")).closest("li")!);
  expect(row.getByText("advertisers of this platform")).toBeTruthy();
});
