import { createMemoryHistory } from "@tanstack/react-router";
import { expect, test } from "vitest";
import { answerCalls } from "../testing/answer-calls.ts";
import { someSession } from "../testing/some-session.ts";
import { makeQueryClient } from "./query-client.ts";
import { makeRouter } from "./router.tsx";
import { sessionEnd } from "./session-end.ts";

const KEPT = ["something of the session"];

/** The application's router at a page behind the sign-in. */
async function routerAt(address: string) {
  answerCalls({ "GET /session.json": () => someSession() });
  const client = makeQueryClient({ refused: () => undefined, answered: () => undefined });
  const router = makeRouter(client);
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [address] }) });
  await router.load();
  client.setQueryData(KEPT, "kept");
  const isKept = () => client.getQueryData(KEPT) === "kept";
  return { router, isKept, session: sessionEnd(router, client) };
}

test("an ended session redirects to the sign-in, which remembers the page and nothing else", async () => {
  const { router, isKept, session } = await routerAt("/profile?tab=1");
  session.refused("query");
  await router.load();
  expect(router.state.location.pathname).toBe("/login");
  expect(router.state.location.search).toEqual({ redirect_to: "/profile?tab=1" });
  expect(isKept()).toBe(false);
});

test("several simultaneous failures do not nest the sign-in address in itself", async () => {
  const { router, session } = await routerAt("/profile");
  session.refused("query");
  session.refused("mutation");
  await Promise.resolve();
  session.refused("mutation");
  await router.load();
  expect(router.state.location.search).toEqual({ redirect_to: "/profile" });
  session.refused("mutation");
  expect(router.state.location.search).toEqual({ redirect_to: "/profile" });
});

test("a user leaving for a public page is not sent to the sign-in page, and no page is remembered", async () => {
  const { router, session } = await routerAt("/profile");
  router.history.replace("/");
  session.refused("query");
  await router.load();
  session.refused("query");
  expect(router.state.location.href).toBe("/");
});

test("a user who stays keeps the page, and is asked again by a change alone, or when a next session ends", async () => {
  const { router, isKept, session } = await routerAt("/profile");
  const asked: string[] = [];
  router.history.block({
    blockerFn: ({ nextLocation }) => {
      asked.push(nextLocation.pathname);
      return true;
    },
  });
  const askedBy = async (act: () => void) => {
    asked.length = 0;
    act();
    await router.load();
    return asked;
  };
  expect(await askedBy(() => session.refused("query"))).toEqual(["/login"]);
  expect(await askedBy(() => session.refused("query"))).toEqual([]);
  expect(await askedBy(() => session.refused("mutation"))).toEqual(["/login"]);
  session.answered();
  expect(await askedBy(() => session.refused("query"))).toEqual(["/login"]);
  expect([router.state.location.pathname, isKept()]).toEqual(["/profile", true]);
});

test("a user who stayed and then opens another page is asked to sign in there", async () => {
  const { router, isKept, session } = await routerAt("/profile");
  const unblock = router.history.block({ blockerFn: () => true });
  session.refused("query");
  await router.load();
  unblock();
  answerCalls({ "GET /session.json": () => new Response("{}", { status: 401 }) });
  await router.navigate({ to: "/support" });
  expect(router.state.location.href).toBe("/?redirect_to=%2Fsupport");
  expect(isKept()).toBe(false);
});
