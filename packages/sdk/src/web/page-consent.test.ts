// @vitest-environment jsdom
import { afterEach, expect, test, vi } from "vitest";
import { APP, initReply } from "../testing/protocol-replies.ts";
import { protocolServer } from "../testing/protocol-server.ts";
import { initialize, shutdown } from "./millrace.ts";

afterEach(() => {
  shutdown();
  vi.unstubAllGlobals();
});

test("an app that passes on no consent, as undefined, leaves it to the page's consent platform", async () => {
  const server = await protocolServer(() => ({ json: initReply() }));
  // Its reader is a file that this platform does not have, so that the choice stays unknown.
  vi.stubGlobal("__tcfapi", () => {});
  const options = { app: APP, platform: "android", endpoint: server.endpoint, logLevel: "none" } as const;
  expect(await initialize({ ...options, consent: undefined })).toMatchObject({ ok: false });
  expect(server.of("/sdk/v1/init")).toEqual([]);
  await server.close();
});
