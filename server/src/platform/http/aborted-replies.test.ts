import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import { defineCall } from "@millrace/contract";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { silentLog } from "../log.ts";
import { buildServer } from "./build-server.ts";
import { serve } from "./serve.ts";

const download = defineCall({
  method: "GET",
  path: "/file",
  summary: "Download a file",
  access: "public",
  reply: z.string(),
});

test("a download that its client breaks off is closed, and is no failure of the platform", async () => {
  const failures: object[] = [];
  const log = { ...silentLog, error: (facts: object) => void failures.push(facts) };
  const app = await buildServer({ log, trustedProxies: 0, authenticate: async () => null });
  onTestFinished(() => app.close());
  const content = new Readable({ read() {} });
  content.push("begin");
  serve(app, download, async ({ reply }) => reply.send(content));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET /file HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(socket, "data");
  socket.destroy();
  await expect.poll(() => content.destroyed).toBe(true);
  // What follows the end of the reply is done before the next one.
  await app.inject("/nowhere");
  expect(failures).toEqual([]);
});
