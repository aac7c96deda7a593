import type { FirstSteps, RecordedRequest } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { dayOf } from "@millrace/units";
import { expect, test } from "vitest";
import { APP } from "../../../shared/auctions/testing/some-auction.ts";
import { type SentCall, answerCalls, refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { RequestsPage } from "./requests-page.tsx";

const TODAY = dayOf(Date.now());
const idOf = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, "0")}`;

const request = (nth: number, more: Partial<RecordedRequest> = {}): RecordedRequest => ({
  auction: idOf(nth),
  imp: "1",
  at: `${TODAY}T00:00:${String(nth).padStart(2, "0")}.000Z`,
  zone: "extra_life",
  zone_name: "Extra life",
  format: "rewarded",
  country: "US",
  no_ad: null,
  winner: { provider: "games", name: "Lab games" },
  price: 1_670_301,
  asked: 6,
  duration_ms: 95.2,
  traced: true,
  ...more,
});
const pageOf = (requests: RecordedRequest[], older: string | null = null) => ({
  requests,
  newest: requests[0] ? "newest" : null,
  older,
  searched_from: `${TODAY}T00:00:00.000Z`,
  kept_days: 30,
});

async function open(answer: (call: SentCall) => unknown, search = "") {
  const sent = answerCalls({
    [`GET /apps/${APP.uuid}/requests.json`]: answer,
    [`GET /apps/${APP.uuid}/stats.json`]: () => ({}),
  });
  const page = await renderPage(RequestsPage, "/apps/$uuid/requests", `/apps/${APP.uuid}/requests${search}`);
  return { ...page, asked: () => sent(`GET /apps/${APP.uuid}/requests.json`) };
}

const rows = async () =>
  within(await screen.findByRole("list", { name: "Requests, newest first" })).findAllByRole("link");

test("each request leads to its auction, and says its outcome, price and whether its trace is kept", async () => {
  const noAd = { winner: null, price: null, no_ad: { code: "no_demand", text: "Partners had no demand" } };
  await open(() => pageOf([request(2), request(1, { ...noAd, imp: "b", traced: false })]));
  const links = await rows();
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    `/auctions/${idOf(2)}`,
    `/auctions/${idOf(1)}?imp=b`,
  ]);
  expect(links[0]?.textContent).toMatch(/Lab games.*\$1\.6703.*Extra life.*Rewarded video.*US.*6.*95 ms/);
  expect(links[1]?.textContent).toMatch(/Partners had no demand.*no full trace kept.*–/);
});

test("new requests wait behind a line until they are wanted", async () => {
  const known = [request(1)];
  let hasArrived = false;
  const { asked } = await open(({ query }) =>
    pageOf(query.has("after") && hasArrived ? [request(3), request(2), ...known] : known),
  );
  expect(await rows()).toHaveLength(1);
  // The line is there before there is anything new, so that the rows below it do not move.
  expect(await screen.findByText("No new requests")).toBeTruthy();
  hasArrived = true;
  const line = await screen.findByRole("button", { name: "2 new" }, { timeout: 10_000 });
  expect(await rows()).toHaveLength(1);
  known.unshift(request(3), request(2));
  await userEvent.click(line);
  await waitFor(async () => expect(await rows()).toHaveLength(3));
  expect(asked().some(({ query }) => query.get("after") === "newest")).toBe(true);
});

test("filters are in the address and in the call", async () => {
  const { asked, router } = await open(() => pageOf([request(1)]), "?reason=no_demand&zone=extra_life");
  await rows();
  expect(asked()[0]?.query.getAll("reason")).toEqual(["no_demand"]);
  await userEvent.click(screen.getByRole("button", { name: "Sold" }));
  await waitFor(() => expect(router.state.location.search).toMatchObject({ outcome: "sold", zone: "extra_life" }));
  expect(router.state.location.searchStr).not.toContain("reason");
});

test("the filters are cleared, and the focus moves from the button, which is gone, to the heading", async () => {
  const { router } = await open(() => pageOf([]), "?zone=extra_life");
  await screen.findByText("No request of these days matches the filters.");
  document.body.insertAdjacentHTML("afterbegin", '<h1 tabindex="-1">Requests</h1>');
  await userEvent.click(screen.getAllByRole("button", { name: "Clear filters" })[0]!);
  await waitFor(() => expect(router.state.location.searchStr).not.toContain("zone"));
  expect(document.activeElement).toBe(document.querySelector("h1"));
  document.querySelector("h1")?.remove();
});

test("a search that was cut off says how far it came, and goes on", async () => {
  const { asked } = await open(({ query }) =>
    query.get("before") === "9~00000000-0000-0000-0000-000000000000~"
      ? pageOf([request(1)])
      : pageOf([], "9~00000000-0000-0000-0000-000000000000~"),
  );
  expect(await rows()).toHaveLength(1);
  await screen.findByText("This is the only request of these days and filters.");
  expect(asked().filter(({ query }) => query.has("before"))).toHaveLength(1);
});

test("a pasted address opens its auction, and anything else is refused", async () => {
  const { router } = await open(() => pageOf([]));
  const field = await screen.findByLabelText("Auction ID");
  await userEvent.type(field, "tide{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe("This is not an auction ID");
  await userEvent.clear(field);
  await userEvent.click(field);
  await userEvent.paste(`https://millrace.example/auctions/${idOf(7)}`);
  await waitFor(() => expect(router.state.location.pathname).toBe(`/auctions/${idOf(7)}`));
});

test("without requests the page says why, and a failed search can be tried again", async () => {
  await open(() => pageOf([]), "?zone=nowhere");
  await screen.findByText("No request of these days matches the filters.");
  document.body.replaceChildren();
  await open(() => refused(503, "Statistics are not available right now"));
  expect(await screen.findByRole("button", { name: /try again/i })).toBeTruthy();
});

test("an app that has never asked waits for its first request, which then appears by itself", async () => {
  const steps = (state: "done" | "waiting"): FirstSteps => ({
    steps: [{ step: "request", state, count: 0, since: null }],
    moderation: "live",
    is_sample: false,
    partners_available: 1,
    has_demo_partners: false,
    not_counted: 0,
    has_site: false,
  });
  let hasArrived = false;
  answerCalls({
    [`GET /apps/${APP.uuid}/requests.json`]: () => pageOf(hasArrived ? [request(1)] : []),
    [`GET /apps/${APP.uuid}/stats.json`]: () => ({}),
    [`GET /apps/${APP.uuid}/first_steps.json`]: () => steps(hasArrived ? "done" : "waiting"),
  });
  await renderPage(RequestsPage, "/apps/$uuid/requests", `/apps/${APP.uuid}/requests`);
  expect(await screen.findByText("Waiting for the first request")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open the instructions" }).getAttribute("href")).toBe(
    `/apps/${APP.uuid}/settings`,
  );
  hasArrived = true;
  expect(await rows()).toHaveLength(1);
});
