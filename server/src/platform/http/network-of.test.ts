import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { silentLog } from "../log.ts";
import { buildServer } from "./build-server.ts";
import { networkOf } from "./network-of.ts";

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:aaaa:bbbb:cccc:dddd", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::7", "2001:db8:0:0::/64"],
  ["2001:db8::3:4:5:6:7", "2001:db8:0:3::/64"],
  ["2001:db8:1::5:6:1.2.3.4", "2001:db8:1:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["", ""],
  ["a:b", "a:b"],
  [undefined, ""],
])("%j is counted as %j", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test("a client that disconnects while its call waits has no address and causes no error", async () => {
  const app = await buildServer({
    log: silentLog,
    trustedProxies: 0,
    authenticate: async () => null,
  });
  onTestFinished(() => app.close());
  const counted = new Promise<string>((resolve, reject) => {
    app.get("/slow", async (request) => {
      client.destroy();
      await once(request.raw.socket, "close");
      try {
        resolve(networkOf(request.ip));
      } catch (error) {
        reject(new Error("the address could not be read", { cause: error }));
      }
      return null;
    });
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const client = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  client.write("GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n");
  expect(await counted).toBe("");
});
