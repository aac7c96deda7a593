import type { AppSettings } from "@millrace/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { UUID, openPage, someSettings, withTitle } from "../testing/open-page.tsx";
import { someBids, someMediation } from "../testing/some-mediation.ts";
import { AppMediationPage } from "./app-mediation-page.tsx";

const PATH = "/apps/$uuid/mediation";
const call = (method: string, rest: string) => `${method} /apps/${UUID}/${rest}`;
const block = async (name: string) => within(await screen.findByRole("region", { name }));

async function open(settings = someSettings(), more: Parameters<typeof answerCalls>[0] = {}, query = "") {
  const sent = answerCalls({
    [call("GET", "settings.json")]: () => settings,
    [call("GET", "mediation.json")]: () => someMediation(),
    [call("GET", "bids.json")]: ({ query: asked }) => someBids(asked.has("floor") ? { effect: EFFECT } : {}),
    ...more,
  });
  const opened = await openPage(withTitle(AppMediationPage), { path: PATH, at: `/apps/${UUID}/mediation${query}` });
  return { ...opened, sent };
}
const EFFECT = { impressions: -40, revenue: -120_000, basis: "Estimated from yesterday's 600 impressions." };

test("a floor is found by its country, changed to the micro-dollar, and saved with the others", async () => {
  const settings = someSettings();
  const { sent } = await open(settings, {
    [call("PUT", "floors")]: ({ body }) => ({ ...settings, floors: (body as Pick<AppSettings, "floors">).floors }),
  });
  const floors = await block("Floors");
  const save = floors.getByRole<HTMLButtonElement>("button", { name: "Save floors" });
  expect(save.getAttribute("aria-disabled")).toBe("true");
  // Without a country in the address, the first floor is open.
  expect(floors.getByLabelText<HTMLInputElement>("Floor in $").value).toBe("5.17");
  await userEvent.click(floors.getByRole("combobox", { name: "Country" }));
  await userEvent.clear(floors.getByRole("combobox", { name: "Country" }));
  await userEvent.keyboard("germ{Enter}");
  await waitFor(() =>
    expect(floors.getByRole<HTMLInputElement>("combobox", { name: "Country" }).value).toBe("Germany"),
  );
  expect(floors.getByLabelText<HTMLInputElement>("Floor in $").value).toBe("");
  await userEvent.type(floors.getByLabelText("Floor in $"), "0.000001");
  expect(floors.getAllByRole("status")[0]?.textContent).toBe("Not saved yet");
  await userEvent.click(save);
  await waitFor(() => expect(floors.getAllByRole("status")[0]?.textContent).toBe("Saved"));
  expect(sent(call("PUT", "floors"))[0]?.body).toEqual({
    floors: [
      { country: "US", format: "video", floor: 5_170_000 },
      { country: "DE", format: "video", floor: 1 },
    ],
  });
});

test("the effect of a new floor is told in words before it is saved, unless the floor is too high", async () => {
  const { sent } = await open();
  const floors = await block("Floors");
  const field = floors.getByLabelText("Floor in $");
  await userEvent.type(field, "100", { initialSelectionStart: 0, initialSelectionEnd: 0 });
  expect(await floors.findByText("Must be at most $1,000")).toBeTruthy();
  await userEvent.clear(field);
  await userEvent.type(field, "6.4");
  expect(await floors.findByText("−40")).toBeTruthy();
  const words = ["560, was 600", "−$0.12", EFFECT.basis, "new $6.4000", "today $5.1700"];
  for (const text of words) expect(floors.getByText(text)).toBeTruthy();
  const asked = sent(call("GET", "bids.json")).map(({ query }) => Object.fromEntries(query));
  expect(asked.at(-1)).toEqual({ country: "US", format: "video", floor: "6400000" });
  expect(asked.map(({ floor }) => floor)).not.toContain("1005170000");
});

test("the address opens the floor of its country and format, and the figures are theirs", async () => {
  const { sent } = await open(undefined, {}, "?country=DE&format=banner");
  const floors = await block("Floors");
  expect(floors.getByRole<HTMLInputElement>("combobox", { name: "Country" }).value).toBe("Germany");
  expect(floors.getByLabelText<HTMLSelectElement>("Format").value).toBe("banner");
  expect(Object.fromEntries(sent(call("GET", "mediation.json"))[0]?.query ?? [])).toMatchObject({
    country: "DE",
    format: "banner",
  });
});

test("an amount that is none is refused at its floor, and the message goes with its cause", async () => {
  await open();
  const floors = await block("Floors");
  const field = floors.getByLabelText("Floor in $");
  await userEvent.clear(field);
  await userEvent.click(floors.getByRole("button", { name: "Save floors" }));
  expect(floors.getByText("This field is required")).toBeTruthy();
  expect(floors.getByRole("alert").textContent).toBe("Please check highlighted fields before submitting");
  await userEvent.type(field, "1");
  expect(floors.queryByText("This field is required")).toBeNull();
  expect(floors.getByRole("alert").textContent).toBe("");
});

test("a refused change says why and can be saved again or undone", async () => {
  await open(someSettings(), { [call("PUT", "floors")]: () => refused(503, "The store is away") });
  const floors = await block("Floors");
  await userEvent.click(floors.getByRole("button", { name: "Remove floor" }));
  expect(floors.getByText("No floors: bids at any price are accepted.")).toBeTruthy();
  expect(document.activeElement).toBe(floors.getByLabelText("Floor in $"));
  await userEvent.click(floors.getByRole("button", { name: "Save floors" }));
  expect(await floors.findByText("The store is away")).toBeTruthy();
  expect(floors.getAllByRole("status")[0]?.textContent).toBe("Not saved yet");
  await userEvent.click(floors.getByRole("button", { name: "Undo changes" }));
  expect(floors.getByLabelText<HTMLInputElement>("Floor in $").value).toBe("5.17");
  expect(floors.getAllByRole("status")[0]?.textContent).toBe("");
});

test("text typed while saving is kept and saved next", async () => {
  const settings = someSettings();
  let answer: (reply: AppSettings) => void = () => {};
  const { sent } = await open(settings, {
    [call("PUT", "test_devices")]: () => new Promise<AppSettings>((resolve) => (answer = resolve)),
  });
  const devices = await block("Test devices");
  const ids = devices.getByLabelText<HTMLTextAreaElement>("Advertising ids");
  await userEvent.type(ids, "38400000-8cf0-11bd-b23e-10b96e40000d");
  await userEvent.click(devices.getByRole("button", { name: "Save test devices" }));
  await waitFor(() => expect(sent(call("PUT", "test_devices"))).toHaveLength(1));
  await userEvent.type(ids, "\n58400000-8cf0-11bd-b23e-10b96e40000d");
  expect(devices.getByRole("status").textContent).toBe("Saving");
  answer({ ...settings, test_devices: ["38400000-8cf0-11bd-b23e-10b96e40000d"] });
  await waitFor(() => expect(devices.getByRole("status").textContent).toBe("Not saved yet"));
  expect(ids.value).toBe("38400000-8cf0-11bd-b23e-10b96e40000d\n58400000-8cf0-11bd-b23e-10b96e40000d");
});

test("categories and domains are blocked together", async () => {
  const settings = someSettings();
  const { sent } = await open(settings, {
    [call("PUT", "blocks")]: ({ body }) => ({ ...settings, blocks: body as AppSettings["blocks"] }),
  });
  const blocks = await block("Blocked advertising");
  expect(blocks.getByText("Non-Standard Content")).toBeTruthy();
  await userEvent.click(blocks.getByRole("button", { name: "Allow Non-Standard Content" }));
  expect(document.activeElement).toBe(blocks.getByRole("group", { name: "Categories" }));
  const domains = blocks.getByLabelText("Advertiser domains");
  await userEvent.type(domains, "\nbad domain");
  await userEvent.click(blocks.getByRole("button", { name: "Save blocks" }));
  expect(blocks.getByRole("alert").textContent).toBe("bad: Use a domain like shop.example");
  await userEvent.clear(domains);
  await userEvent.type(domains, "a.example, b.example");
  await userEvent.click(blocks.getByRole("button", { name: "Save blocks" }));
  await waitFor(() => expect(blocks.getByRole("status").textContent).toBe("Saved"));
  expect(sent(call("PUT", "blocks")).map(({ body }) => body)).toEqual([
    { categories: [], domains: ["a.example", "b.example"] },
  ]);
});

test("a partner is switched from its row, and the last change can be taken back", async () => {
  let enabled = true;
  const reply = () => ({ ...someSettings(), partners: [{ ...someSettings().partners[0]!, enabled }] });
  const { sent } = await open(someSettings(), {
    [call("GET", "mediation.json")]: () => someMediation(({ id }) => (id === "alpha" ? { enabled } : {})),
    [call("PUT", "partners/alpha")]: ({ body }) => {
      ({ enabled } = body as { enabled: boolean });
      return reply();
    },
  });
  const partners = await block("Partners");
  const alpha = await partners.findByRole("switch", { name: "Alpha takes part" });
  expect(alpha.getAttribute("aria-checked")).toBe("true");
  await userEvent.click(alpha);
  expect(await partners.findByText("Off from the next auction.", { exact: false })).toBeTruthy();
  expect(alpha.getAttribute("aria-checked")).toBe("false");
  await userEvent.click(partners.getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(alpha.getAttribute("aria-checked")).toBe("true"));
  await waitFor(() => expect(partners.queryByRole("button", { name: "Undo" })).toBeNull());
  expect(document.activeElement).toBe(alpha);
  expect(sent(call("PUT", "partners/alpha")).map(({ body }) => body)).toEqual([{ enabled: false }, { enabled: true }]);
});

test("a refused switch keeps its state and says why", async () => {
  await open(someSettings(), { [call("PUT", "partners/alpha")]: () => refused(503, "Not now") });
  const partners = await block("Partners");
  const alpha = await partners.findByRole("switch", { name: "Alpha takes part" });
  await userEvent.click(alpha);
  expect((await partners.findByRole("alert")).textContent).toBe("Not now");
  expect(alpha.getAttribute("aria-checked")).toBe("true");
});

test("partners without keys lead to them, and those disabled are named when they did something", async () => {
  await open();
  const partners = await block("Partners");
  expect((await partners.findByRole("link", { name: "Add keys at Beta" })).getAttribute("href")).toBe(
    `/apps/${UUID}/dsp`,
  );
  expect(partners.getByText("disabled by the platform")).toBeTruthy();
});

test("bidders of the demo's tests are not named until they are opened", async () => {
  const tests = { asked: 0, revenue: 0, active: false, is_test: true };
  await open(someSettings(), {
    [call("GET", "mediation.json")]: () => someMediation(({ id }) => (id === "gamma" ? tests : {})),
  });
  const partners = await block("Partners");
  const fold = (await partners.findByText("Test bidders")).closest("details")!;
  expect(fold.open).toBe(false);
  expect(within(fold).getByText("Gamma")).toBeTruthy();
  expect(within(partners.getByRole("table")).queryByText("Gamma")).toBeNull();
});

test("a value over its limit is marked and named with its first day", async () => {
  const slow = { p95_ms: 93, slow: { since: "2024-11-12", or_before: false } };
  const late = { timeout_rate: 7.25, late: { since: "2024-11-06", or_before: true } };
  await open(someSettings(), {
    [call("GET", "mediation.json")]: () => someMediation(({ id }) => (id === "alpha" ? { ...slow, ...late } : {})),
  });
  const alpha = within(await (await block("Partners")).findByRole("row", { name: /^Compare Alpha/ }));
  expect(alpha.getByText("slow since Nov 12th")).toBeTruthy();
  expect(alpha.getByText("timeouts since before Nov 6th")).toBeTruthy();
  expect(alpha.getByText("93 ms").textContent).toBe("93 ms over the limit");
  expect(alpha.getByText("7.3%").textContent).toBe("7.3% over the limit");
  expect(alpha.getByText("$12.34")).toBeTruthy();
  expect(alpha.getByText("+23.4%")).toBeTruthy();
});

test("two partners stand side by side, and the address keeps them", async () => {
  const { router } = await open(someSettings(), {
    [call("GET", "mediation.json")]: () => someMediation(({ id }) => (id === "gamma" ? { p95_ms: 44 } : {})),
  });
  const partners = await block("Partners");
  await userEvent.click(await partners.findByRole("checkbox", { name: "Compare Alpha" }));
  expect(partners.getByText("Choose a second partner in the list.")).toBeTruthy();
  await userEvent.click(partners.getByRole("checkbox", { name: "Compare Gamma" }));
  await waitFor(() => expect(router.state.location.searchStr).toContain("partner=alpha&partner=gamma"));
  const pair = within(partners.getByRole("region", { name: "Side by side" }));
  expect(pair.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual(
    ["Figure", "AlAlpha", "GaGamma"].map((name) =>
      name === "Figure" ? name : (expect.stringContaining(name.slice(2)) as string),
    ),
  );
  expect(pair.getByRole("row", { name: /^p95/ }).textContent).toBe("p9561 ms44 ms");
  await userEvent.click(pair.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(partners.queryByRole("region", { name: "Side by side" })).toBeNull());
});

test("unsaved changes of one block survive when another block is saved", async () => {
  const settings = someSettings();
  const { sent } = await open(settings, {
    [call("PUT", "test_devices")]: ({ body }) => ({
      ...settings,
      test_devices: (body as { devices: string[] }).devices,
    }),
  });
  const domains = (await block("Blocked advertising")).getByLabelText("Advertiser domains");
  await userEvent.type(domains, "\nother.example");
  const devices = await block("Test devices");
  await userEvent.type(devices.getByLabelText("Advertising ids"), "38400000-8cf0-11bd-b23e-10b96e40000d");
  await userEvent.click(devices.getByRole("button", { name: "Save test devices" }));
  await waitFor(() => expect(devices.getByRole("status").textContent).toBe("Saved"));
  expect((await block("Blocked advertising")).getByRole("status").textContent).toBe("Not saved yet");
  expect(sent(call("PUT", "test_devices"))[0]?.body).toEqual({ devices: ["38400000-8cf0-11bd-b23e-10b96e40000d"] });
});

test("leaving with unsaved changes asks; staying keeps them, leaving drops them", async () => {
  const { router } = await open();
  const floors = await block("Floors");
  await userEvent.type(floors.getByLabelText("Floor in $"), "1");
  // The page's own filters do not ask.
  await act(() => router.navigate({ to: ".", search: { country: "US", format: "video" } as never }));
  expect(screen.queryByRole("dialog")).toBeNull();
  const leave = () => act(async () => void router.navigate({ to: `/elsewhere` as never }));
  await leave();
  const asked = within(await screen.findByRole("dialog", { name: "Leave without saving?" }));
  await userEvent.click(asked.getByRole("button", { name: "Stay here" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(floors.getByLabelText<HTMLInputElement>("Floor in $").value).toBe("5.171");
  await leave();
  await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Leave" }));
  expect(await screen.findByText("elsewhere")).toBeTruthy();
});

test("a partner's name opens the requests that it was sent, with the page's filters", async () => {
  await open(undefined, {}, "?ds=2026-11-01&de=2026-11-02&country=US");
  const link = await (await block("Partners")).findByRole("link", { name: "Alpha: requests" });
  expect(link.getAttribute("href")).toBe(`/apps/${UUID}/requests?ds=2026-11-01&de=2026-11-02&country=US&partner=alpha`);
});

test("an address that names the floors brings them into sight once they are loaded", async () => {
  const shown = vi.spyOn(Element.prototype, "scrollIntoView");
  await open(undefined, {}, "?country=US&format=video#floors");
  expect((await block("Floors")).getByLabelText<HTMLInputElement>("Floor in $").value).toBe("5.17");
  expect(shown).toHaveBeenCalledWith({ block: "center" });
  shown.mockRestore();
});

test("what partners did before it was recorded is left out by name, and is no zero", async () => {
  const unknown = { requests: 1234, since: "2024-11-18" };
  await open(undefined, {
    [call("GET", "mediation.json")]: () => ({
      ...someMediation(({ id }) => (id === "gamma" ? { asked: 0 } : {})),
      unknown,
    }),
  });
  const partners = await block("Partners");
  expect(await partners.findByText(/is recorded since Nov 18th, 2024\..*without 1,234 requests/)).toBeTruthy();
  const asked = (name: RegExp) =>
    partners.getByRole("row", { name }).querySelector<HTMLElement>("td[data-head=Asked]")?.textContent;
  expect([asked(/^Compare Alpha/), asked(/^Compare Gamma/)]).toEqual(["1.0K", "–"]);
});
