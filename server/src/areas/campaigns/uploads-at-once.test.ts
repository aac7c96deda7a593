import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { filesOnDisk } from "../../platform/files/stored-files.ts";
import { somePng } from "../../platform/images/testing/some-images.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { campaignsServer, formOf } from "./testing/campaigns-server.ts";

const stores = await testStores();
const dir = await mkdtemp(join(tmpdir(), "uploads-at-once-"));
const onDisk = filesOnDisk(dir);
/** The videos that are being written to the disk. */
let arriving = 0;
const at = await campaignsServer(stores, {
  files: {
    ...onDisk,
    async receive(content) {
      arriving++;
      try {
        return await onDisk.receive(content);
      } finally {
        arriving--;
      }
    },
  },
});
await at.server.listen({ port: 0, host: "127.0.0.1" });
const { port } = at.server.server.address() as AddressInfo;
const png = formOf({ content: await somePng(), fileName: "a.png" });

const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await vi.waitUntil(() => arriving === 0);
});
afterAll(async () => {
  await at.stop();
  await rm(dir, { recursive: true });
});

/** Begins uploads whose forms never end; what comes back for each. */
function begin(accountId: number, count: number): { answers: string[]; breakOff: () => void } {
  const answers = Array.from({ length: count }, () => "");
  const mine = answers.map((_, nth) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("data", (data) => (answers[nth] += data.toString())).on("error", () => undefined);
    const head = `POST /campaign/upload?kind=video HTTP/1.1\r\nhost: x\r\nx-account: ${accountId}\r\n`;
    socket.write(
      `${head}content-type: multipart/form-data; boundary=----a-boundary\r\ncontent-length: 5000000\r\n\r\n`,
    );
    socket.write(formOf({ content: Buffer.alloc(4000), fileName: "a.mp4" }).subarray(0, 3000));
    return socket;
  });
  sockets.push(...mine);
  const breakOff = () => {
    for (const socket of mine) socket.destroy();
  };
  return { answers, breakOff };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 300));

test("an account's third file is not read before another has arrived, its seventh is refused, and others do not wait", async () => {
  const [busy, other] = [await at.newAccount(), await at.newAccount()];
  const first = begin(busy, 6);
  await expect.poll(() => arriving).toBe(2);
  await settled();
  expect([arriving, first.answers.join("")]).toEqual([2, ""]);
  const { status, headers } = await at.uploadBytes(busy, png, "image");
  expect(status).toBe(429);
  expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  expect((await at.uploadBytes(other, png, "image")).status).toBe(200);
});

test("all accounts together have twelve files that are being read", async () => {
  for (let nth = 0; nth < 7; nth++) begin(await at.newAccount(), 2);
  await expect.poll(() => arriving).toBe(12);
  await settled();
  expect(arriving).toBe(12);
});

test("uploads that are broken off, also while they wait, give their places back", async () => {
  const mine = await at.newAccount();
  const { breakOff } = begin(mine, 6);
  await expect.poll(() => arriving).toBe(2);
  await settled();
  breakOff();
  await expect.poll(() => arriving).toBe(0);
  const replies = await Promise.all(Array.from({ length: 3 }, () => at.uploadBytes(mine, png, "image")));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
});
