import { expect, test } from "vitest";
import { markupCache } from "./markup-cache.ts";

const place = { publicUrl: "https://ads.example.com/base", now: () => 1 };

test("a document is found by its address, and by the parts from which an ad server builds it", async () => {
  const cache = markupCache(place);
  const kept = cache.keep("<VAST>é</VAST>");
  expect((await cache.find(kept.id))?.toString()).toBe("<VAST>é</VAST>");
  expect(kept.url).toBe(`https://${kept.host}${kept.path}?uuid=${kept.id}`);
  expect(kept.id).toMatch(/^[\w-]{32}$/);
});

test("an id that this process has not created is refused, even if it differs by one bit", async () => {
  const cache = markupCache(place);
  const { id } = cache.keep("<VAST/>");
  const bytes = Buffer.from(id, "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const other = Buffer.from(bytes);
    other.writeUInt8(other.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect(await cache.find(other.toString("base64url"))).toBeUndefined();
  }
  for (const other of ["", "x", id.slice(1), `${id}A`, markupCache(place).keep("<VAST/>").id]) {
    expect(await cache.find(other)).toBeUndefined();
  }
});

test("a document is kept for the requested time, up to the cache's limit", async () => {
  let at = 1;
  const cache = markupCache({ ...place, now: () => at });
  const [short, long, never] = [cache.keep("a", 60), cache.keep("b", 1_000_000), cache.keep("c", -5)];
  const found = (...all: { id: string }[]) =>
    Promise.all(all.map(async ({ id }) => (await cache.find(id))?.toString()));
  at += 59_000;
  expect(await found(short, long, never)).toEqual(["a", "b", undefined]);
  at += 2000;
  expect(await found(short, long)).toEqual([undefined, "b"]);
  at += 3_600_000;
  expect(await cache.find(long.id)).toBeUndefined();
});

test("the oldest documents are dropped when the cache is full", async () => {
  const cache = markupCache(place, { maxBytes: 100_000 });
  const first = cache.keep("x".repeat(10_000));
  for (let n = 0; n < 1000; n++) {
    cache.keep("x".repeat(10_000));
    expect(cache.bytes).toBeLessThanOrEqual(100_000);
  }
  const last = cache.keep("last");
  expect(await cache.find(first.id)).toBeUndefined();
  expect((await cache.find(last.id))?.toString()).toBe("last");
});
