import { createMemoryHistory } from "@tanstack/react-router";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { answerCalls } from "../testing/answer-calls.ts";
import { someSession } from "../testing/some-session.ts";
import { endSession, makeRouter } from "./router.tsx";

/** The application's router at a page behind the sign-in. */
async function routerAt(address: string) {
  answerCalls({ "GET /session.json": () => someSession() });
  const client = new QueryClient();
  const router = makeRouter(client);
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [address] }) });
  await router.load();
  return { router, end: () => endSession(router, client) };
}

test("an ended session redirects to the sign-in, which remembers the page", async () => {
  const { router, end } = await routerAt("/profile?tab=1");
  end();
  await router.load();
  expect(router.state.location.pathname).toBe("/login");
  expect(router.state.location.search).toEqual({ redirect_to: "/profile?tab=1" });
});

test("several simultaneous failures do not nest the sign-in address in itself", async () => {
  const { router, end } = await routerAt("/profile");
  end();
  end();
  await Promise.resolve();
  end();
  await router.load();
  expect(router.state.location.search).toEqual({ redirect_to: "/profile" });
  end();
  expect(router.state.location.search).toEqual({ redirect_to: "/profile" });
});

test("a user leaving for a public page is not sent to the sign-in page, and no page is remembered", async () => {
  const { router, end } = await routerAt("/profile");
  router.history.replace("/");
  end();
  await router.load();
  end();
  expect(router.state.location.href).toBe("/");
});
