import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { ErrorReply } from "@millrace/contract";
import { type CallName, callSeeds, type Seed, seedIds } from "@millrace/contract/testing";
import fc from "fast-check";
import { beforeAll, expect, inject, test } from "vitest";
import { addApp } from "./support/add-app.ts";
import { hostileRequest, type HostileRequest } from "./support/hostile-requests.ts";
import { sendRaw } from "./support/send-raw.ts";
import { demoApp } from "./support/sign-in.ts";
import { testUsers } from "./support/test-users.ts";
import { fromOwnAddress } from "./support/visitor.ts";

const platform = inject("platform");
const REQUESTS = 10_000;
const CONCURRENCY = 20;
const BATCH = { minLength: CONCURRENCY, maxLength: CONCURRENCY };
/** So many more requests go to a call that has refused none. */
const MORE = 300;
/** Calls that hash a password are expensive, so they get fewer requests; those that strangers make all day get more. */
const WEIGHTS: Partial<Record<CallName, number>> = {
  login: 1,
  signUp: 1,
  redeemTicket: 1,
  addManager: 1,
  addSubUser: 1,
  editSubUser: 1,
  sdkAd: 30,
  sdkInit: 20,
  openrtbAuction: 40,
  vastTag: 20,
};
const DEFAULT_WEIGHT = 5;

const people = testUsers();
let cookie: string;
let seeds: Record<CallName, Seed>;

beforeAll(async () => {
  // Some of the requests are valid and change their account, so it is no other test's.
  const { context } = await people.newPerson();
  const own = callSeeds(seedIds({ app: await addApp(context, "android", "Malformed") }));
  cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const app = await demoApp(platform);
  seeds = callSeeds(seedIds({ app }));
  const init = await fetch(platform.url + seeds.sdkInit.path, {
    method: "POST",
    headers: { "content-type": "application/json", ...fromOwnAddress() },
    body: JSON.stringify(seeds.sdkInit.body),
  });
  if (!init.ok) throw new Error(`/sdk/v1/init answered ${init.status}: ${await init.text()}`);
  const { session } = (await init.json()) as { session: string };
  const { sdkInit, sdkAd, sdkPing, sdkEvents, openrtbAuction, vastTag } = callSeeds(
    seedIds({ app, sdkSession: session }),
  );
  // Only a moderated app is sold.
  seeds = { ...own, sdkInit, sdkAd, sdkPing, sdkEvents, openrtbAuction, vastTag };
});

const bytes = (body: string | Buffer) => (typeof body === "string" ? Buffer.from(body) : body);
/** Sent from a new address, so that no rate limit answers instead. */
const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}): HostileRequest => ({
  method: "POST",
  path,
  headers: {
    ...fromOwnAddress(),
    "content-type": "application/json",
    "content-length": String(bytes(body).length),
    ...headers,
  },
  body: bytes(body),
});

/** The resident memory of a process in MiB; null on systems without /proc. */
async function memoryOfMib(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => null);
  const kib = status?.match(/^VmRSS:\s+(\d+) kB$/m)?.[1];
  return kib === undefined ? null : Number(kib) / 1024;
}

async function expectAlive(): Promise<void> {
  expect((await fetch(`${platform.url}/readyz`)).status).toBe(200);
  const ask = seeds.sdkAd;
  expect((await sendRaw(platform.url, post(ask.path, JSON.stringify(ask.body)))).status).toBe(200);
}

test(
  `${REQUESTS.toLocaleString("en")} malformed requests to every endpoint: no 5xx, no crash, flat memory`,
  { timeout: 900_000 },
  async () => {
    const statuses = new Map<string, Map<number, number>>();
    const memory: number[] = [];
    let sent = 0;

    const requestTo = (name: CallName) =>
      fc.tuple(hostileRequest(seeds[name]), fc.boolean()).map(([request, signedIn]) => {
        // Half of the requests have a session, so that they reach the checks behind the sign-in.
        const withCookie = signedIn && name !== "logout" && request.headers["cookie"] === undefined;
        const headers = withCookie ? { "sec-fetch-site": "same-origin", ...request.headers, cookie } : request.headers;
        return { name, request: { ...request, headers } };
      });
    const names = Object.keys(seeds) as CallName[];
    const anyRequest = fc.oneof(
      ...names.map((name) => ({ weight: WEIGHTS[name] ?? DEFAULT_WEIGHT, arbitrary: requestTo(name) })),
    );

    async function sendAndCheck({ name, request }: { name: CallName; request: HostileRequest }): Promise<void> {
      const { status, text } = await sendRaw(platform.url, request);
      const counts = statuses.get(name) ?? new Map<number, number>();
      statuses.set(name, counts.set(status, (counts.get(status) ?? 0) + 1));
      if (status >= 500)
        throw new Error(`${status} for ${request.method} ${request.path.slice(0, 300)}: ${text.slice(0, 300)}`);
      if (status < 400 || request.method === "HEAD") return;
      const reply = ErrorReply.safeParse(JSON.parse(text));
      if (!reply.success)
        throw new Error(`${status} for ${request.method} ${request.path.slice(0, 300)} says ${text.slice(0, 300)}`);
    }

    await fc.assert(
      fc.asyncProperty(fc.array(anyRequest, BATCH), async (requests) => {
        const from = fromOwnAddress();
        await Promise.all(
          requests.map(({ name, request }) =>
            sendAndCheck({ name, request: { ...request, headers: { ...from, ...request.headers } } }),
          ),
        );
        sent += requests.length;
        if (sent % 500 === 0) memory.push((await memoryOfMib(platform.pid)) ?? 0);
      }),
      { numRuns: REQUESTS / CONCURRENCY, endOnFailure: true },
    );
    expect(sent).toBe(REQUESTS);

    const hasRefused = (name: CallName) => [...(statuses.get(name)?.keys() ?? [])].some((status) => status >= 400);
    // Chance may leave a call out, or refuse none of the few requests to one that accepts nearly everything.
    for (const name of names.filter((each) => !hasRefused(each))) {
      for (const request of fc.sample(requestTo(name), MORE)) {
        await sendAndCheck(request);
        if (hasRefused(name)) break;
      }
    }
    // Every endpoint has refused some requests, so the generator reaches them all.
    expect(names.filter((name) => !hasRefused(name))).toEqual([]);
    const refused = [...statuses.values()].flatMap((counts) => [...counts]).filter(([status]) => status >= 400);
    expect(refused.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(REQUESTS / 3);

    await expectAlive();
    // The first quarter warms up the heap. After that, memory may vary but not grow.
    const [warm, end] = [memory.slice(5, 10), memory.slice(-5)].map((part) => Math.max(...part));
    if ((warm ?? 0) > 0) expect(end).toBeLessThan((warm ?? 0) * 1.25 + 16);
  },
);

test("bodies that are too large, too deep, gzip bombs or not text are refused with 4xx", async () => {
  const ad = seeds.sdkAd.path;
  const auction = seeds.openrtbAuction.path;
  const tooBig = `{"id":"${"x".repeat(3 * 1024 * 1024)}"}`;
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20));
  for (const path of [ad, auction, seeds.sdkInit.path, seeds.login.path]) {
    for (const body of [
      "",
      "null",
      "[]",
      '"text"',
      "{",
      "[".repeat(100_000),
      `{"a":`.repeat(100_000),
      Buffer.from([0xff, 0xfe, 0x00]),
    ]) {
      const { status } = await sendRaw(platform.url, post(path, body));
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
    // The server may close the connection before the whole body is sent.
    expect([0, 413]).toContain((await sendRaw(platform.url, post(path, tooBig))).status);
    const { status } = await sendRaw(platform.url, post(path, bomb, { "content-encoding": "gzip" }));
    expect([0, 400, 413, 415]).toContain(status);
  }
  await expectAlive();
});

test("values that the standard forbids are refused with the field's path", async () => {
  const refusal = async (body: unknown) => {
    const { status, text } = await sendRaw(platform.url, post(seeds.openrtbAuction.path, JSON.stringify(body)));
    expect(status).toBe(400);
    return JSON.stringify(ErrorReply.parse(JSON.parse(text)).error);
  };
  const app = { id: "unknown" };
  const banner = { w: 320, h: 50 };
  expect(await refusal({ imp: [{ id: "1", banner }], app })).toContain("id");
  expect(await refusal({ id: "r", app })).toContain("imp");
  expect(await refusal({ id: "r", imp: [], app })).toContain("imp");
  expect(await refusal({ id: "r", imp: [{ id: "1", banner }, { banner }], app })).toContain("imp[1].id");
  expect(await refusal({ id: "r", imp: [{ id: "1", banner: { w: "320" } }], app })).toContain("imp[0].banner.w");
});

test("a beacon with a forged token never redirects", async () => {
  for (const t of ["x", "1.e30.AAAA", "__proto__.e30.AAAAAAAAAAAAAAAAAAAAAA", "a".repeat(4000)]) {
    for (const kind of ["impression", "click", "loss"]) {
      const reply = await fetch(
        `${platform.url}/beacon/${kind}?t=${t}&to=${encodeURIComponent("https://evil.example/")}&s=AAAA`,
        {
          redirect: "manual",
        },
      );
      expect(reply.status).toBeLessThan(500);
      expect(reply.headers.get("location")).toBeNull();
    }
  }
});

test("bytes that are not HTTP do not harm the server", async () => {
  const lines = [
    "GET / HTTP/9.9\r\n\r\n",
    "\u0016\u0003\u0001\u0002\u0000\u0001\u0000",
    "POST /sdk/v1/ad HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n",
    "POST /sdk/v1/ad HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n",
    `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: x\r\n${"X: y\r\n".repeat(5000)}\r\n`,
    "GET /vast?%00 HTTP/1.1\r\nHost: \u0000\r\n\r\n",
  ];
  const { hostname, port } = new URL(platform.url);
  for (const line of lines) {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.end(line, "latin1"));
      let text = "";
      socket.on("data", (chunk) => (text += chunk.toString("latin1")));
      socket.on("error", () => resolve(text));
      socket.on("close", () => resolve(text));
    });
    expect(answer).not.toMatch(/^HTTP\/1\.1 5/);
  }
  await expectAlive();
});
