import { type AddressInfo, connect } from "node:net";
import Fastify from "fastify";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { uploadPlaces } from "./upload-places.ts";

const BYTES = 10_000_000;
const places = uploadPlaces({
  atOnce: 4,
  perAccount: 2,
  waitingPerAccount: 4,
  waitMs: 20_000,
  busyText: "Later",
  undisturbedMs: 800,
  checkMs: 50,
});
const app = Fastify();
app.addContentTypeParser("*", (_request, _payload, done) => done(null));
/** The accounts of the bodies that are being read. */
const reading: number[] = [];
app.post<{ Params: { account: string } }>("/:account", async (request) => {
  const account = Number(request.params.account);
  return places.run(account, () =>
    places.receive(request, async () => {
      reading.push(account);
      try {
        for await (const _chunk of request.raw);
        return { account };
      } finally {
        reading.splice(reading.indexOf(account), 1);
      }
    }),
  );
});
await app.listen({ port: 0, host: "127.0.0.1" });
const { port } = app.server.address() as AddressInfo;

const ended: (() => void)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) end();
  await vi.waitUntil(() => reading.length === 0, { timeout: 10_000 });
});
afterAll(() => app.close());

/** Begins an upload that brings this many bytes twenty times a second, and never ends. */
function drip(account: number, bytes: number): { isOpen: () => boolean } {
  const socket = connect(port, "127.0.0.1");
  let isOpen = true;
  socket
    .on("error", () => undefined)
    .on("close", () => (isOpen = false))
    .resume();
  const head = `POST /${account} HTTP/1.1\r\nhost: x\r\ncontent-type: a/b\r\ncontent-length: ${BYTES}\r\n\r\n`;
  socket.write(head);
  const drips = setInterval(() => socket.write("x".repeat(bytes)), 50);
  ended.push(() => {
    clearInterval(drips);
    socket.destroy();
  });
  return { isOpen: () => isOpen };
}
const send = async (account: number) => {
  const reply = await fetch(`http://127.0.0.1:${port}/${account}`, {
    method: "POST",
    headers: { "content-type": "a/b" },
    body: "a file",
  });
  return [reply.status, await reply.text()];
};
const settled = () => new Promise((resolve) => setTimeout(resolve, 1500));

test("while another account waits for a place, the slowest body gives way, and no other", async () => {
  const slow = drip(1, 10);
  const others = [drip(1, 2000), drip(2, 2000), drip(2, 2000)];
  await expect.poll(() => reading.length).toBe(4);
  await settled();
  expect(await send(3)).toEqual([200, '{"account":3}']);
  await expect.poll(slow.isOpen).toBe(false);
  expect(others.map(({ isOpen }) => isOpen())).toEqual([true, true, true]);
});

test("no body gives way while nobody waits, nor to an account that has a place", async () => {
  const [first, second] = [drip(1, 10), drip(1, 10)];
  await expect.poll(() => reading.length).toBe(2);
  const third = drip(1, 10);
  await settled();
  expect([first.isOpen(), second.isOpen(), third.isOpen(), reading]).toEqual([true, true, true, [1, 1]]);
});

test("a body is not disturbed at first, however slowly it comes", async () => {
  const begun = performance.now();
  const slow = [1, 1, 2, 2].map((account) => drip(account, 10));
  await expect.poll(() => reading.length).toBe(4);
  expect(await send(3)).toEqual([200, '{"account":3}']);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(800);
  await expect.poll(() => slow.filter(({ isOpen }) => isOpen()).length).toBe(3);
});
