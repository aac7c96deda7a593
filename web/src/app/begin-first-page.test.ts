import { waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { answerCalls } from "../testing/answer-calls.ts";
import { beginFirstPage } from "./begin-first-page.ts";
import { makeQueryClient } from "./query-client.ts";
import { makeRouter } from "./router.tsx";

const DAYS = "ds=2026-11-18&de=2026-11-19";
const UUID = "00000000-0000-4000-8000-000000000001";

/** Starts loading an address without rendering it and before the session is known. */
function begin(address: string) {
  const sent = answerCalls({});
  window.history.replaceState(null, "", address);
  const client = makeQueryClient({ refused: () => undefined, answered: () => undefined });
  beginFirstPage(makeRouter(client), client);
  return sent;
}

test.each([
  ["/apps", "GET /apps.json"],
  ["/apps/performance", "GET /apps/performance/stats"],
  ["/report", "GET /api/report"],
  [`/apps/${UUID}/performance`, `GET /apps/${UUID}/stats.json`],
])("the first data of %s is requested immediately", async (path, call) => {
  const sent = begin(`${path}?${DAYS}`);
  // The page's module loads first, which takes long on a busy machine.
  await waitFor(() => expect(sent(call).map(({ query }) => query.get("ds"))).toContain("2026-11-18"), {
    timeout: 30_000,
  });
  expect(sent("GET /session.json")).toEqual([]);
});
