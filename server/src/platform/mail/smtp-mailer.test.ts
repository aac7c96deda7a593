import { type AddressInfo, type Server, createServer } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { silentLog } from "../log.ts";
import { type Mailer, isRefusedForGood, openMailer } from "./index.ts";

const mail = { to: "ada@example.com", subject: "Grüße 😀", text: "Hello, Ada.\n", html: "<p>Hello, Ada.</p>\n" };
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function mailerTo(url: string, sendTimeoutMs = 10_000, replyTo?: string): Promise<Mailer> {
  const mailer = await openMailer({
    smtpUrl: url,
    from: "Millrace <no-reply@millrace.test>",
    replyTo,
    dir: "/nowhere",
    log: silentLog,
    sendTimeoutMs,
  });
  ends.push(() => mailer.close());
  return mailer;
}

interface Received {
  from: string;
  to: string[];
  source: string;
}

/** An SMTP server on its own port. */
async function smtpServer(
  options: SMTPServerOptions = {},
): Promise<{ port: number; received: Received[]; connections(): number }> {
  const received: Received[] = [];
  let connections = 0;
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    allowInsecureAuth: true,
    closeTimeout: 100,
    onConnect: (_session, done) => {
      connections++;
      done();
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        received.push({
          from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  const port = await listen(server.server);
  ends.push(() => new Promise((resolve) => server.close(() => resolve())));
  return { port, received, connections: () => connections };
}

const listen = (server: Server) =>
  new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });

test("replies go to the operator, unless the mail names somebody else", async () => {
  const { port, received } = await smtpServer();
  const mailer = await mailerTo(`smtp://127.0.0.1:${port}`, 10_000, "help@ads.example");
  await mailer.send(mail);
  await mailer.send({ ...mail, replyTo: "ben@example.com" });
  expect(received.map(({ source }) => /^Reply-To: (.*)\r$/m.exec(source)?.[1])).toEqual([
    "help@ads.example",
    "ben@example.com",
  ]);
});

test("sends one multipart mail (HTML and text) per recipient", async () => {
  const { port, received } = await smtpServer();
  await (await mailerTo(`smtp://127.0.0.1:${port}`)).send(mail);
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ from: "no-reply@millrace.test", to: ["ada@example.com"] });
  expect(received[0]?.source).toMatch(/^Subject: =\?UTF-8\?/m);
  expect(received[0]?.source).toContain("Hello, Ada.");
  expect(received[0]?.source).toContain("multipart/alternative");
});

test("consecutive mails use one connection", async () => {
  const server = await smtpServer();
  const mailer = await mailerTo(`smtp://127.0.0.1:${server.port}`);
  for (let nth = 0; nth < 3; nth++) await mailer.send(mail);
  expect(server.received).toHaveLength(3);
  expect(server.connections()).toBe(1);
});

test("the configured login is used, and a wrong one fails the mail", async () => {
  const { port, received } = await smtpServer({
    authOptional: false,
    onAuth: ({ username, password }, _session, done) =>
      username === "mill" && password === "p@ss" ? done(null, { user: username }) : done(new Error("Wrong login")),
  });
  await (await mailerTo(`smtp://mill:p%40ss@127.0.0.1:${port}`)).send(mail);
  expect(received).toHaveLength(1);
  const wrong = await mailerTo(`smtp://mill:wrong-pass@127.0.0.1:${port}`);
  const failure = await wrong.send(mail).catch((error: unknown) => error);
  expect(String(failure)).toContain("Wrong login");
  expect(String(failure)).not.toContain("wrong-pass");
});

test("TLS is used if the server offers it, and a server with an invalid certificate gets no mail", async () => {
  const secure: boolean[] = [];
  const { port, received } = await smtpServer({
    disabledCommands: [],
    onMailFrom: (_address, session, done) => {
      secure.push(session.secure);
      done();
    },
  });
  await expect((await mailerTo(`smtp://127.0.0.1:${port}`)).send(mail)).rejects.toThrow("certificate");
  expect(received).toEqual([]);
  // For a mail server with a self-signed certificate, the operator sets it explicitly.
  await (await mailerTo(`smtp://127.0.0.1:${port}?tls.rejectUnauthorized=false`)).send(mail);
  expect([received.length, secure]).toEqual([1, [true]]);
});

test("a hostile subject adds neither headers nor recipients, and a list is not a recipient", async () => {
  const { port, received } = await smtpServer();
  const mailer = await mailerTo(`smtp://127.0.0.1:${port}`);
  await mailer.send({ ...mail, subject: "Hi\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>" });
  expect(received[0]?.to).toEqual(["ada@example.com"]);
  expect(received[0]?.source).not.toMatch(/^Bcc:/m);
  await expect(mailer.send({ ...mail, to: "ada@example.com,eve@example.com" })).rejects.toThrow("no valid address");
  await expect(mailer.send({ ...mail, to: "ada@example.com>\r\nRCPT TO:<eve@example.com" })).rejects.toThrow(
    "no valid address",
  );
  expect(received).toHaveLength(1);
});

test("a refused recipient fails the mail with the server's reason, and the next mail is sent", async () => {
  const { port, received } = await smtpServer({
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith("gone@") ? done(new Error("No such person here")) : done(),
  });
  const mailer = await mailerTo(`smtp://127.0.0.1:${port}`);
  await expect(mailer.send({ ...mail, to: "gone@example.com" })).rejects.toThrow("No such person here");
  await mailer.send(mail);
  expect(received).toHaveLength(1);
});

test("without a server the mail fails immediately", async () => {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  await expect((await mailerTo(`smtp://127.0.0.1:${port}`)).send(mail)).rejects.toThrow("ECONNREFUSED");
});

test.each([
  ["says nothing", ""],
  ["greets and says nothing more", "220 slow.example.com ESMTP\r\n"],
])("a server that %s fails the mail within the time limit and leaves no connection open", async (_, greeting) => {
  const open = new Set<unknown>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined).on("close", () => open.delete(socket));
    socket.resume();
    if (greeting !== "") socket.write(greeting);
  });
  const port = await listen(server);
  ends.push(() => new Promise((resolve) => server.close(() => resolve())));
  const mailer = await mailerTo(`smtp://127.0.0.1:${port}`, 300);
  const began = performance.now();
  await expect(mailer.send(mail)).rejects.toThrow(/abort|timeout|never received/i);
  expect(performance.now() - began).toBeLessThan(1500);
  await mailer.close();
  await expect.poll(() => open.size, { timeout: 3000 }).toBe(0);
});

test("only mails with an unsubscribe link have List-Unsubscribe headers", async () => {
  const { port, received } = await smtpServer();
  const mailer = await mailerTo(`smtp://127.0.0.1:${port}`);
  const url = `https://ads.example.com/unsubscribe/${"0".repeat(36)}.${"s".repeat(43)}`;
  await mailer.send({ ...mail, unsubscribeUrl: url });
  await mailer.send(mail);
  const [withLink, without] = received.map(({ source }) => source.split("\r\n\r\n")[0]?.replaceAll(/\r\n\s+/g, " "));
  // RFC 8058, 3.1 and 3.2.
  expect(withLink?.split("\r\n").filter((line) => line.startsWith("List-"))).toEqual([
    `List-Unsubscribe: <${url}>`,
    "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
  ]);
  expect(without).not.toContain("List-Unsubscribe");
});

test.each([
  ["an address that is none", { to: "nobody" }, {}, true],
  ["a recipient refused by 550", {}, { onRcptTo: refusing(550) }, true],
  ["a recipient refused for now by 451", {}, { onRcptTo: refusing(451) }, false],
  ["a sender refused by 550", {}, { onMailFrom: refusing(550) }, false],
] as const)("whether %s is refused for good", async (_what, some, options, forGood) => {
  const { port } = await smtpServer(options);
  const mailer = await mailerTo(`smtp://127.0.0.1:${port}`);
  const error: unknown = await mailer.send({ ...mail, ...some }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(isRefusedForGood(error)).toBe(forGood);
});

function refusing(responseCode: number) {
  return (_address: unknown, _session: unknown, done: (error: Error) => void) =>
    done(Object.assign(new Error("Refused"), { responseCode }));
}
