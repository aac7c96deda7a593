import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { cutOffIfSlow, limitSlowBodies } from "./slow-bodies.ts";

test("a body that arrives in drips is cut off, and a form's file is not", async () => {
  const app = Fastify();
  limitSlowBodies(app, 200, 20);
  app.addContentTypeParser("multipart/form-data", (_request, _payload, done) => done(null));
  app.post("/", async ({ raw }) => {
    let bytes = 0;
    for await (const chunk of raw) bytes += (chunk as Buffer).length;
    return { bytes };
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;

  const send = async (type: string): Promise<string> => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.on("data", (data) => (answer += data.toString())).on("error", () => undefined);
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: 10\r\n\r\n`,
    );
    let sent = 0;
    const drips = setInterval(() => socket.write(sent++ < 10 ? "x" : ""), 60);
    await once(socket, "close");
    clearInterval(drips);
    return answer;
  };
  expect(await send("application/json")).toMatch(/^HTTP\/1\.1 408/);
  expect(await send("multipart/form-data; boundary=x")).toContain('{"bytes":10}');
  await app.close();
});

test("a form's file that stands still or comes too slowly is cut off, and one that keeps its pace is not", async () => {
  const app = Fastify();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  let reading = 0;
  app.post("/", async (request) => {
    reading++;
    try {
      return await cutOffIfSlow(
        request,
        async () => {
          let bytes = 0;
          for await (const chunk of request.raw) bytes += (chunk as Buffer).length;
          return { bytes };
        },
        { withinMs: 400, leastBytes: 500, leastBytesPerSecond: 4000 },
      );
    } finally {
      reading--;
    }
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;

  /** Sends pieces of these lengths, ten a second. */
  const send = async (lengths: number[]): Promise<string> => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.on("data", (data) => (answer += data.toString())).on("error", () => undefined);
    const bytes = lengths.reduce((sum, length) => sum + length, 0);
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: a/b\r\nContent-Length: ${bytes}\r\n\r\n`,
    );
    let sent = 0;
    const pieces = setInterval(() => socket.write("x".repeat(lengths[sent++] ?? 0)), 100);
    await once(socket, "close");
    clearInterval(pieces);
    return answer;
  };
  const evenly = (length: number) => Array.from({ length: 20 }, () => length);
  expect(await send(evenly(1000))).toContain('{"bytes":20000}');
  expect(await send([1000, 1000, ...evenly(1)])).toMatch(/^HTTP\/1\.1 408/);
  // Slower than it has to be, though something comes all the time.
  expect(await send(evenly(200))).toMatch(/^HTTP\/1\.1 408/);
  // What comes quickly at first makes up for a slow end.
  expect(await send([8000, ...evenly(200).slice(10)])).toContain('{"bytes":10000}');
  await expect.poll(() => reading).toBe(0);
  await app.close();
});
