import { request as httpRequest } from "node:http";
import { gunzipSync } from "node:zlib";
import { FORMATS } from "@millrace/contract";
import type { BidResponse } from "@millrace/openrtb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IMPS, requestFor } from "./fixtures.ts";
import { startLab } from "./start-lab.ts";
import type { Lab } from "./start-lab.ts";

let lab: Lab;
beforeAll(async () => {
  lab = await startLab({ port: 0, seed: "test", nowMs: () => 0 });
});
afterAll(() => lab.stop());

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  tookMs: number;
}

/** Uses node:http, which neither decompresses nor retries. */
function post(path: string, body: unknown, timeoutMs = 5000): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const asked = httpRequest(`${lab.url}${path}`, { method: "POST", timeout: timeoutMs }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts),
          tookMs: performance.now() - startedAt,
        }),
      );
    });
    asked.on("timeout", () => asked.destroy(new Error("no answer in time")));
    asked.on("error", reject);
    asked.end(typeof body === "string" ? body : JSON.stringify(body));
  });
}

/** Asks until the bidder bids, which is random. */
async function bidOf(bidder: string, format: keyof typeof IMPS) {
  for (let attempt = 0; attempt < 50; attempt++) {
    const answer = await post(`/bid/${bidder}`, requestFor(`${bidder}-${format}-${attempt}`, IMPS[format]));
    if (answer.status === 204) continue;
    const parsed = JSON.parse(answer.body.toString()) as BidResponse;
    return { ...parsed, bid: parsed.seatbid?.[0]?.bid[0] ?? expect.fail("no bid in the answer") };
  }
  return expect.fail("never a bid");
}

test.each(FORMATS)("a bidder answers %s with a creative that can be shown", async (format) => {
  const { bid, cur } = await bidOf("lab-steady", format);
  expect(cur).toBe("USD");
  expect(bid.impid).toBe("1");
  expect(bid.price).toBeGreaterThan(0);
  expect(bid.adomain?.[0]).toMatch(/\.example$/);
  const adm = bid.adm ?? "";
  if (format === "native") {
    const native = JSON.parse(adm) as { ver: string; assets: { id: number }[]; link: { url: string } };
    expect(native.ver).toBe("1.2");
    expect(native.assets.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    expect(native.link.url).toMatch(/\/landing\//);
  } else if (format === "banner" || format === "interstitial") {
    expect(adm).toContain(`<a href="${lab.url}/landing/`);
    expect(adm).not.toMatch(/src=|url\(|@import|<script|<link/);
    expect([bid.w, bid.h]).toEqual(format === "banner" ? [320, 50] : [320, 480]);
  } else {
    expect(adm).toMatch(/^<\?xml[^]*<VAST version="4.2"/);
    const media = /<MediaFile [^>]*>(?:<!\[CDATA\[)?([^\]<]+)/.exec(adm)?.[1] ?? "";
    const file = await fetch(media);
    expect(file.headers.get("content-type")).toBe(format === "audio" ? "audio/mpeg" : "video/mp4");
    const bytes = Buffer.from(await file.arrayBuffer());
    if (format === "audio") expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xfb]);
    else expect(bytes.subarray(4, 8).toString()).toBe("ftyp");
    expect(bytes.length).toBeLessThan(500_000);
  }
});

test("a player gets the requested range of a file, and a 404 for a missing file", async () => {
  const part = await fetch(`${lab.url}/media/paper-boats.mp4`, { headers: { range: "bytes=4-7" } });
  expect(part.status).toBe(206);
  expect(await part.text()).toBe("ftyp");
  expect((await fetch(`${lab.url}/media/paper-boats.mp4`, { headers: { range: "bytes=99999999-" } })).status).toBe(416);
  expect((await fetch(`${lab.url}/media/nobody.mp4`)).status).toBe(404);
});

test("the same seed and request get the same answer, and another seed a different one", async () => {
  const other = await startLab({ port: 0, seed: "another", nowMs: () => 0 });
  const prices = async (url: string) => {
    const found: (number | undefined)[] = [];
    for (let id = 0; id < 10; id++) {
      const body = JSON.stringify(requestFor(`same-${id}`, IMPS.banner));
      const answer = await fetch(`${url}/bid/lab-steady`, { method: "POST", body });
      found.push(
        answer.status === 204 ? undefined : ((await answer.json()) as BidResponse).seatbid?.[0]?.bid[0]?.price,
      );
    }
    return found;
  };
  const first = await prices(lab.url);
  expect(await prices(lab.url)).toEqual(first);
  expect(await prices(other.url)).not.toEqual(first);
  await other.stop();
});

test("prices follow the country", async () => {
  const median = async (country: string) => {
    const found: number[] = [];
    for (let id = 0; id < 40; id++) {
      const answer = await post("/bid/lab-steady", requestFor(`${country}-${id}`, IMPS.rewarded, country));
      if (answer.status === 200) {
        found.push((JSON.parse(answer.body.toString()) as BidResponse).seatbid?.[0]?.bid[0]?.price ?? 0);
      }
    }
    return found.sort((a, b) => a - b)[Math.floor(found.length / 2)] ?? 0;
  };
  const [rich, poor] = [await median("USA"), await median("IND")];
  expect(rich / poor).toBeGreaterThan(6);
  expect(rich / poor).toBeLessThan(13);
});

test("blocked advertisers and categories are not offered", async () => {
  for (let id = 0; id < 30; id++) {
    const request = { ...requestFor(`blocked-${id}`, IMPS.banner), bcat: ["IAB9"], badv: ["harbour-tea.example"] };
    const answer = await post("/bid/lab-bargain", request);
    if (answer.status === 204) continue;
    const bid = (JSON.parse(answer.body.toString()) as BidResponse).seatbid?.[0]?.bid[0];
    expect(bid?.cat?.[0]).not.toMatch(/^IAB9/);
    expect(bid?.adomain).not.toEqual(["harbour-tea.example"]);
  }
});

test("a bidder bids only where it buys, and only above the floor", async () => {
  for (let id = 0; id < 20; id++) {
    expect((await post("/bid/lab-native", requestFor(`n-${id}`, IMPS.banner))).status).toBe(204);
    expect((await post("/bid/lab-brand", requestFor(`b-${id}`, IMPS.banner, "IND"))).status).toBe(204);
    expect((await post("/bid/lab-steady", requestFor(`f-${id}`, { ...IMPS.banner, bidfloor: 900 }))).status).toBe(204);
  }
});

test("notices are counted by bidder and kind", async () => {
  const { bid } = await bidOf("lab-brand", "banner");
  for (const url of [bid.nurl, bid.burl, bid.burl]) {
    expect((await fetch((url ?? "").replace("${AUCTION_PRICE}", "1.25"))).status).toBe(204);
  }
  expect(lab.counts()["lab-brand"]).toMatchObject({ win: 1, billing: 2 });
  expect(await (await fetch(`${lab.url}/counts.json`)).json()).toEqual(lab.counts());
});

test("a webhook's deliveries are taken", async () => {
  expect((await post("/revenue", { delivery_id: "1", impressions: [] })).status).toBe(204);
});

test("a malformed bid request gets 400, an unknown bidder 404", async () => {
  expect((await post("/bid/lab-steady", "{")).status).toBe(400);
  expect((await post("/bid/lab-steady", { id: "x", imp: [] })).status).toBe(400);
  expect((await post("/bid/lab-steady", { id: "x", imp: [null] })).status).toBe(400);
  expect((await post("/bid/nobody", requestFor("x", IMPS.banner))).status).toBe(404);
});

const hostile = (fault: string, timeoutMs?: number) =>
  post(`/bid/lab-${fault}`, requestFor(`hostile-${fault}`, IMPS.banner), timeoutMs);
const hostileBid = async (fault: string) => JSON.parse((await hostile(fault)).body.toString()) as BidResponse;

test("the slow bidder returns a valid bid after the deadline", async () => {
  const answer = await hostile("slow");
  expect(answer.tookMs).toBeGreaterThan(350);
  expect((JSON.parse(answer.body.toString()) as BidResponse).seatbid?.[0]?.bid).toHaveLength(1);
});

test("the silent bidder never answers", () => expect(hostile("silent", 500)).rejects.toThrow("no answer in time"));

test("the resetting bidder breaks the connection", () =>
  expect(hostile("reset")).rejects.toMatchObject({ code: "ECONNRESET" }));

test("the unavailable bidder answers 503", async () => expect((await hostile("unavailable")).status).toBe(503));

test("the huge response has 64 MiB", async () =>
  expect((await hostile("huge", 20_000)).body.length).toBeGreaterThan(64 * 2 ** 20));

test("the gzip bomb is small on the wire and half a gibibyte decompressed", async () => {
  const { body, headers } = await hostile("gzip-bomb");
  expect(headers["content-encoding"]).toBe("gzip");
  expect(body.length).toBeLessThan(2 ** 20);
  expect(() => gunzipSync(body, { maxOutputLength: 400 * 2 ** 20 })).toThrow(/larger than/i);
});

test("broken JSON does not parse", async () => {
  const { body } = await hostile("broken-json");
  expect(() => void JSON.parse(body.toString())).toThrow(SyntaxError);
});

test("prices can be negative, infinite and not a number", async () => {
  expect((await hostileBid("negative-price")).seatbid?.[0]?.bid[0]?.price).toBeLessThan(0);
  expect((await hostileBid("infinite-price")).seatbid?.[0]?.bid[0]?.price).toBe(Infinity);
  expect((await hostile("nan-price")).body.toString()).toContain('"price":NaN');
});

test("currency, imp and media type can be wrong", async () => {
  expect((await hostileBid("wrong-currency")).cur).toBe("XTS");
  expect((await hostileBid("wrong-imp")).seatbid?.[0]?.bid[0]?.impid).not.toBe("1");
  expect((await hostileBid("wrong-media")).seatbid?.[0]?.bid[0]?.mtype).toBe(2);
});

test("a bidder with outages is unavailable at the end of each period, and recovers after it", async () => {
  let now = 0;
  const clocked = await startLab({ port: 0, seed: "test", nowMs: () => now });
  const status = async () => {
    const body = JSON.stringify(requestFor("outage", IMPS.banner));
    return (await fetch(`${clocked.url}/bid/lab-flaky`, { method: "POST", body })).status;
  };
  expect(await status()).toBeLessThan(300);
  now = 590_000;
  expect(await status()).toBe(503);
  now = 600_000;
  expect(await status()).toBeLessThan(300);
  await clocked.stop();
});
