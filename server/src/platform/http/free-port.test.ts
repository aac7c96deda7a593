import { createServer } from "node:net";
import { expect, test } from "vitest";
import { freePort } from "./free-port.ts";

const HOST = "127.0.0.1";

test("a free port can be listened on, and is none that Linux gives to outgoing connections", async () => {
  const port = await freePort(HOST);
  expect(port).toBeGreaterThan(1_023);
  expect(port).toBeLessThan(32_768);
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, HOST, resolve);
  });
  await new Promise((resolve) => void server.close(resolve));
});

test("an address of another machine has no free port", async () => {
  await expect(freePort("192.0.2.1")).rejects.toMatchObject({ code: "EADDRNOTAVAIL" });
});
