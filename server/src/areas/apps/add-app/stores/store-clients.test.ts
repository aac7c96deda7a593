import { readFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { GuardedClient } from "../../../../platform/outbound/guarded-get.ts";
import { serveHttp } from "../../../../platform/testing/serve-http.ts";
import { readStoreAddress } from "../store-address.ts";
import { linkedDataOf, metaOf } from "./listing-page.ts";
import { plainName, logoAt } from "./listing-text.ts";
import { storeClients } from "./store-clients.ts";

const HEX = "0123456789abcdef0123456789abcdef";
/** The result for an id, given the stores' replies. */
async function find(id: string, listener: RequestListener) {
  const origin = await serveHttp(listener);
  const client = new GuardedClient();
  onTestFinished(() => client.close());
  const address = readStoreAddress(id) ?? expect.fail("no address");
  return storeClients(client, { origin, timeoutMs: 300 })[address.store].find(address);
}

const fixture = (name: string) => readFile(new URL(`fixtures/${name}`, import.meta.url), "utf8");
const answers =
  (body: string, status = 200): RequestListener =>
  (_, reply) =>
    void reply.writeHead(status).end(body);

test("a Google Play page gives the app's name, image and package", async () => {
  const page = await fixture("google-play.html");
  const asked: string[] = [];
  const listing = await find("com.example.tide", (request, reply) => {
    asked.push(`${request.url} ${request.headers["accept-language"]}`);
    reply.end(page);
  });
  expect(asked).toEqual(["/store/apps/details?id=com.example.tide&hl=en&gl=US en-US,en;q=0.8"]);
  expect(listing).toEqual({
    name: "Tide & Ebb",
    logoUrl: "https://play-lh.googleusercontent.com/tide",
    bundleId: "com.example.tide",
    platforms: ["android", "androidtv"],
  });
  const shared = page.replaceAll(/<script[\s\S]*<\/script>/g, "");
  expect(await find("com.example.tide", answers(shared))).toMatchObject({
    name: "Tide & Ebb",
    logoUrl: "https://play-lh.googleusercontent.com/tide-shared",
  });
});

test("the App Store lookup gives the bundle id and whether the app runs on televisions", async () => {
  const asked: string[] = [];
  const body = await fixture("app-store.json");
  const listing = await find("https://apps.apple.com/de/app/id123456789", (request, reply) => {
    asked.push(request.url ?? "");
    reply.end(body);
  });
  expect(asked).toEqual(["/lookup?id=123456789&country=de&entity=software"]);
  expect(listing).toEqual({
    name: "Tide & Ebb",
    logoUrl: "https://is1-ssl.mzstatic.com/image/tide/512x512bb.jpg",
    bundleId: "com.example.tide",
    platforms: ["ios", "tvos"],
  });
  expect(await find("id5", answers(body))).toBeNull();
  expect(await find("123456789", answers('{"resultCount":0,"results":[]}'))).toBeNull();
});

test("an Amazon page gives the app's heading, or the part of its title between shop and department", async () => {
  const page = await fixture("amazon-appstore.html");
  const listing = {
    name: "Tide: The Sea",
    logoUrl: "https://m.media-amazon.com/images/I/tide.png",
    bundleId: "B0ABCDEF12",
    platforms: ["amazon", "firetv"],
  };
  expect(await find("B0ABCDEF12", answers(page))).toEqual(listing);
  expect(await find("B0ABCDEF12", answers(page.replace("productTitle", "other")))).toEqual(listing);
  await expect(find("B0ABCDEF12", answers("<meta name='title' content='Robot Check'>"))).rejects.toThrow("no app");
});

test("a Roku channel is read from the store's API, or else from its page", async () => {
  const [channel, page] = await Promise.all([fixture("roku-channel.json"), fixture("roku-channel.html")]);
  expect(
    await find(HEX, (request, reply) => void reply.end(request.url?.startsWith("/api/") ? channel : "none")),
  ).toEqual({ name: "Tide TV", logoUrl: "https://image.roku.com/tide.png", bundleId: HEX, platforms: ["roku"] });
  for (const told of ["{broken", "[]", '{"feedChannel":{"name":5}}', '{"name":""}']) {
    const found = await find(HEX, (request, reply) => void reply.end(request.url?.startsWith("/api/") ? told : page));
    expect(found).toMatchObject({ name: "Tide TV", logoUrl: "https://image.roku.com/tide-shared.png" });
  }
});

const EVERY_STORE = ["com.example.tide", "123456789", "B0ABCDEF12", HEX];

test("an app that its store does not list is not found", async () => {
  for (const id of EVERY_STORE) expect(await find(id, answers("", 404))).toBeNull();
});

test("a store that refuses, disconnects, floods, hangs or sends invalid data is unreachable", async () => {
  const listeners: RequestListener[] = [
    answers("no", 403),
    answers("no", 429),
    answers("no", 503),
    answers(""),
    answers("<html><title>Before you continue</title></html>"),
    answers('{"results":[{"trackId":123456789'),
    answers('{"results":[{"trackId":"123456789","trackName":"x","bundleId":"<b>"}]}'),
    answers("x".repeat(2 * 1024 * 1024)),
    (_, reply) => void reply.writeHead(200, { "content-length": "99" }).write("<html>", () => reply.destroy()),
    () => {},
  ];
  for (const listener of listeners) {
    for (const id of EVERY_STORE) await expect(find(id, listener)).rejects.toThrow(/^\w/);
  }
});

test("a store cannot redirect to a private address", async () => {
  let secret = 0;
  const inside = await serveHttp((_, reply) => {
    secret++;
    reply.end(`<meta property="og:title" content="Secret">`);
  });
  for (const id of EVERY_STORE) {
    for (const location of [`${inside}/x`, "http://169.254.169.254/", "http://[::1]/", "file:///etc/passwd"]) {
      await expect(find(id, (_, reply) => void reply.writeHead(302, { location }).end())).rejects.toThrow(
        /closed_address|bad_address/,
      );
    }
  }
  expect(secret).toBe(0);
});

test("names become plain text in one line", async () => {
  const name = '<script>alert(1)</script><img src=x onerror="alert(2)">Tide\u202e\u0000\n  &lt;3';
  const data = JSON.stringify({ "@type": "SoftwareApplication", name }).replaceAll("<", "\\u003c");
  const page = `<script type="application/ld+json">${data}</script>`;
  expect(await find("com.example.tide", answers(page))).toMatchObject({ name: "alert(1) Tide &lt;3", logoUrl: null });
  expect(plainName("a".repeat(300))).toHaveLength(100);
  expect(plainName("\u200b \u2066")).toBe("");
  expect(plainName("Math <3 and 5 > 4")).toBe("Math <3 and 5 > 4");
  expect(plainName(`${"a".repeat(99)}\u{1F30A}`)).toBe("a".repeat(99));
});

test("images are accepted only from the store's own hosts", () => {
  const hosts = ["m.media-amazon.com", ".mzstatic.com"];
  expect(logoAt("https://is1-ssl.mzstatic.com/a.jpg", hosts)).toBe("https://is1-ssl.mzstatic.com/a.jpg");
  expect(logoAt("https://m.media-amazon.com/a.jpg", hosts)).toBe("https://m.media-amazon.com/a.jpg");
  for (const address of [
    "http://m.media-amazon.com/a.jpg",
    "https://m.media-amazon.com:8443/a.jpg",
    "https://m.media-amazon.com@example.com/a.jpg",
    "https://user@m.media-amazon.com/a.jpg",
    "https://mzstatic.com.example.com/a.jpg",
    "https://evilmzstatic.com/a.jpg",
    "https://x.m.media-amazon.com/a.jpg",
    "javascript:alert(1)",
    "data:image/svg+xml,<svg onload=alert(1)>",
    `https://m.media-amazon.com/${"a".repeat(1000)}`,
    "",
    null,
    { toString: () => "https://m.media-amazon.com/a.jpg" },
  ]) {
    expect([address, logoAt(address, hosts)]).toEqual([address, null]);
  }
});

test("a malicious page is parsed quickly", () => {
  const before = performance.now();
  for (const piece of ["<meta ", "<meta a='", '<script type="application/ld+json">', "<meta content=\"x\" name='y'>"]) {
    const page = piece.repeat(1_000_000 / piece.length);
    expect(metaOf(page).size + linkedDataOf(page).length).toBeLessThan(2);
  }
  expect(performance.now() - before).toBeLessThan(2000);
});
