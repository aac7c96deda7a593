import { defineCall, SIGNED_IN_AS, TEXTS } from "@millrace/contract";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { silentLog } from "../log.ts";
import { someCaller } from "../testing/some-caller.ts";
import { buildServer } from "./build-server.ts";
import { serve } from "./serve.ts";

const owner = someCaller();
const app = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => owner });
afterAll(() => app.close());
const reply = z.object({ ok: z.literal(true) });
const thing = { summary: "A thing", access: "subUsers.manage", reply } as const;
const calls = [
  defineCall({ ...thing, method: "GET", path: "/read" }),
  defineCall({ ...thing, method: "POST", path: "/write" }),
  defineCall({ ...thing, method: "POST", path: "/sign-in", access: "public" }),
];
for (const call of calls) serve(app, call, async () => ({ ok: true as const }));

test("a page of another user changes nothing, and may still read and sign in", async () => {
  const send = async (method: "GET" | "POST", url: string, user?: string) => {
    const answer = await app.inject({ method, url, headers: user === undefined ? {} : { [SIGNED_IN_AS]: user } });
    return [answer.statusCode, answer.json<{ error?: string }>().error];
  };
  expect(await send("POST", "/write", owner.uuid)).toEqual([200, undefined]);
  expect(await send("POST", "/write")).toEqual([200, undefined]);
  for (const user of ["somebody else", ""]) expect(await send("POST", "/write", user)).toEqual([409, TEXTS.otherUser]);
  expect(await send("GET", "/read", "somebody else")).toEqual([200, undefined]);
  expect(await send("POST", "/sign-in", "somebody else")).toEqual([200, undefined]);
});
