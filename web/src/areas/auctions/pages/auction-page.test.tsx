import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { expect, test } from "vitest";
import { APP, AUCTION_ID, someAuction, someImp } from "../../../shared/auctions/testing/some-auction.ts";
import type { Explained } from "../../../shared/auctions/use-auction.ts";
import { SESSION_KEY } from "../../../shared/session.ts";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { someSession } from "../../../testing/some-session.ts";
import { AuctionPage } from "./auction-page.tsx";

function Page() {
  const client = useQueryClient();
  useState(() => client.setQueryData(SESSION_KEY, someSession({})));
  return <AuctionPage />;
}

async function open(auction: Partial<Explained> | null = {}, search = "") {
  answerCalls(auction === null ? {} : { [`GET /auctions/${AUCTION_ID}.json`]: () => someAuction(auction) });
  return renderPage(Page, "/auctions/$id", `/auctions/${AUCTION_ID}${search}`);
}

const lanes = () => screen.findAllByRole("option", { name: /Lab .*ms/ });

test("an auction's page begins with the sentence, and shows who took part with the floor and the reasons", async () => {
  await open();
  await screen.findByText(someImp().sentence);
  expect((await lanes()).map((lane) => lane.textContent)).toEqual([
    expect.stringMatching(/Lab games.*41 ms.*\$1\.6703.*Won/),
    expect.stringMatching(/Lab brand.*\$1\.0000.*Outbid.*\$0\.6703 short/),
    expect.stringMatching(/Lab bargain.*\$0\.0400.*Under the floor.*\$0\.0095 under the floor of \$0\.0495/),
    expect.stringMatching(/Lab careless.*Refused/),
    expect.stringMatching(/Lab steady.*30 ms.*No bid/),
    expect.stringMatching(/Lab tardy.*81 ms.*Timeout.*No answer in 81 ms, when bids closed/),
  ]);
  expect(screen.getByText(/Not asked \(3\)/).closest("details")?.open).toBe(false);
  expect(screen.getByText("Your floor for United States, all formats")).toBeTruthy();
});

test("an answer within its time says how long it was given, and a late one how late it was", async () => {
  const answered = () => screen.getByText("Answered in").parentElement?.textContent;
  const first = await open();
  await screen.findByText(someImp().sentence);
  expect(answered()).toBe("Answered in95 msof 100 ms for the answer");
  first.unmount();
  await open({ imps: [someImp({ answered_ms: 440.4 })] });
  await screen.findByText(someImp().sentence);
  expect(answered()).toBe("Answered in440 ms340 ms later than the 100 ms for the answer, as on a busy server");
});

test("the page of a test auction says that its time is not kept", async () => {
  await open({ test: true, imps: [someImp({ answered_ms: null })] });
  await screen.findByText(someImp().sentence);
  expect(screen.getByText("Answered in").parentElement?.textContent).toBe(
    "Answered innot recordedas for every test; it had 100 ms",
  );
});

test("bids have as many decimals as the finest of them, so that they stand below one another", async () => {
  const participants = someAuction().participants.map((participant) => ({
    ...participant,
    results: participant.results.map((result) =>
      result.price === 1_000_000 ? { ...result, price: 1_000_030 } : result,
    ),
  }));
  await open({ participants });
  const bids = (await lanes()).map((lane) => /\$\d+\.\d+/.exec(lane.textContent)?.[0]);
  expect(bids.slice(0, 2)).toEqual(["$1.670300", "$1.000030"]);
});

test("a traced auction says whether its replay makes the same decision, and one without a trace says nothing of it", async () => {
  const replayOf = () => screen.queryByText("Replay")?.parentElement?.textContent;
  const first = await open();
  await screen.findByText(someImp().sentence);
  expect(replayOf()).toBe("ReplaySame decisionmade again from its trace, to the byte");
  first.unmount();
  const second = await open({ replays: false });
  await screen.findByText(someImp().sentence);
  expect(replayOf()).toBe("ReplayAnother decisionIts trace does not fit: contact us");
  second.unmount();
  await open({ traced: false, replays: null });
  await screen.findByText(someImp().sentence);
  expect(replayOf()).toBeUndefined();
});

test("what followed says what was earned, and why a click does not count", async () => {
  await open();
  const followed = within(await screen.findByRole("region", { name: "What followed" }));
  expect(followed.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    expect.stringMatching(/1\.21 s.*Impression.*\+\$0\.001336/),
    expect.stringMatching(/1\.94 s.*Click.*It came from a crawler.*not counted/),
  ]);
});

test("a beacon that was not counted leads to all of its day, by reason", async () => {
  await open();
  const lead = await screen.findByRole("link", { name: "All that was not counted on Nov 20th, 2026, by reason" });
  expect(lead.getAttribute("href")).toBe(`/apps/${APP.uuid}/performance?ds=2026-11-20&de=2026-11-20`);
});

test("the floor leads to the rule that set it, and the fee says where it comes from", async () => {
  await open();
  const why = await screen.findByRole("link", { name: /Why\? The floor/ });
  expect(why.getAttribute("href")).toBe(`/apps/${APP.uuid}/mediation?country=US#floors`);
  expect(screen.getByText(/Your share was 80% at the sale/)).toBeTruthy();
  expect(screen.getAllByRole("link", { name: "Why? The terms" })[0]?.getAttribute("href")).toBe("/terms#money");
});

test("a floor for all countries and formats leads to that rule, not to the first of the list", async () => {
  const floor_by = { source: "publisher", country: null, format: null, text: "Your floor for all" } as const;
  await open({ imps: [someImp({ floor_by })] });
  expect((await screen.findByRole("link", { name: /Why\? The floor/ })).getAttribute("href")).toBe(
    `/apps/${APP.uuid}/mediation?floor=any#floors`,
  );
});

test("the arrow keys pick the partner whose messages are shown", async () => {
  const { router } = await open();
  const [first] = await lanes();
  first?.focus();
  await userEvent.keyboard("{ArrowDown}");
  expect(document.activeElement?.textContent).toContain("Lab brand");
  expect(router.state.location.search).toMatchObject({ partner: "brand" });
  await userEvent.keyboard("{End}");
  expect(document.activeElement?.textContent).toContain("Lab tardy");
  await userEvent.keyboard("{Home}");
  const wire = within(screen.getByRole("region", { name: "On the wire" }));
  expect(wire.getByText(/"answer"/)).toBeTruthy();
  expect(wire.getByText("hidden").tagName).toBe("MARK");
});

test("the page leads to the requests that are like it, and to its floor", async () => {
  await open();
  const alike = await screen.findByRole("link", { name: "Filter requests like this" });
  expect(alike.getAttribute("href")).toBe(
    `/apps/${APP.uuid}/requests?ds=2026-11-20&de=2026-11-20&zone=extra_life&format=rewarded&country=US`,
  );
  expect(screen.getByRole("link", { name: "Change this floor" }).getAttribute("href")).toBe(
    `/apps/${APP.uuid}/mediation?country=US&format=rewarded#floors`,
  );
});

test("an auction with several requests shows one of them, chosen in its address", async () => {
  const imps = [someImp(), someImp({ imp: "2", zone_name: "Footer", sentence: "This banner request got no ad." })];
  await open({ imps }, "?imp=2");
  await screen.findByText("This banner request got no ad.");
  await userEvent.click(screen.getByRole("button", { name: "Extra life" }));
  expect(await screen.findByText(someImp().sentence)).toBeTruthy();
});

test("without a trace the page says what is known, and without any record that there is none", async () => {
  await open({ traced: false, request: null, consent: null, participants: [], deadline_ms: null });
  await screen.findByText(/No trace of this auction is kept/);
  document.body.replaceChildren();
  await open(null);
  expect(await screen.findByText("No record of this auction found")).toBeTruthy();
});
