import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { limitSlowBodies } from "./slow-bodies.ts";

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
