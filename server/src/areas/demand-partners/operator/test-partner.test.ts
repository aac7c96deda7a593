import type { PartnerTest } from "@millrace/contract";
import type { BidRequest } from "@millrace/openrtb";
import type { IncomingHttpHeaders } from "node:http";
import { expect, test } from "vitest";
import { serveHttp } from "../../../platform/testing/serve-http.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { somePartner } from "../../../testing/some-partner.ts";
import { upsertPartner } from "../index.ts";
import { someSettings, startDemandPartners } from "../testing/start-demand-partners.ts";

const { pool } = await testPostgres();
/** With and without demo mode. */
const inDemo = await startDemandPartners(pool, true);
const inEarnest = await startDemandPartners(pool, false);

const save = (id: string, body: object) =>
  inDemo.inject({ method: "PUT", url: `/admin/partners/${id}`, payload: body });
const send = (id: string, body: object, server = inDemo) =>
  server.inject({ method: "POST", url: `/admin/partners/${id}/test`, payload: body });

/** A partner that answers each bid request; resolves with its origin. */
const answering = (
  answer: (request: BidRequest, headers: IncomingHttpHeaders) => { body: object; headers?: Record<string, string> },
): Promise<string> =>
  serveHttp((message, reply) => {
    let text = "";
    message.on("data", (chunk: Buffer) => (text += chunk.toString()));
    message.on("end", () => {
      const { body, headers = {} } = answer(JSON.parse(text) as BidRequest, message.headers);
      for (const [name, value] of Object.entries(headers)) reply.setHeader(name, value);
      reply.end(JSON.stringify(body));
    });
  });

test("a key that makes the host leads the test request to no private network", async () => {
  let asked = 0;
  const origin = await serveHttp((_, reply) => void (asked++, reply.end()));
  await upsertPartner(pool, somePartner({ id: "keyed", endpoint: "http://{{host}}/bid" }));
  const { host } = new URL(origin);
  const tested = (await send("keyed", { media_type: "banner", keys: { host } }, inEarnest)).json<PartnerTest>();
  expect([tested.refused, asked]).toEqual(["Its address is in a private network", 0]);
});

test("a test request shows the wire and the reading, with every secret blacked out", async () => {
  const origin = await answering(({ id, imp }, headers) => {
    const bid = {
      id: "b",
      impid: imp[0]?.id,
      price: 2.5,
      adm: "<b>",
      adomain: ["shop.example"],
      crid: "c-1",
      mtype: 1,
    };
    const body = { id, cur: "USD", seatbid: [{ seat: "s", bid: [bid] }] };
    return { body, headers: { "x-echo": String(headers["x-key"]) } };
  });
  const generic = someSettings({ kind: "openrtb", media_types: ["banner"], endpoint: `${origin}/{{seat}}` });
  await save("wired", { ...generic, headers: { "x-source": "a" }, credentials: { "x-key": "secret-10" } });
  const reply = await send("wired", { media_type: "banner", keys: { seat: "s1" } });
  expect(reply.body).not.toContain("secret-10");
  const { calls, refused } = reply.json<PartnerTest>();
  expect(refused).toBeNull();
  expect(calls[0]).toMatchObject({
    request: { method: "POST", url: `${origin}/s1`, headers: { "x-source": "a", "x-key": "•••" } },
    response: { status: 200, headers: { "x-echo": "•••" } },
    failure: null,
    fault: null,
    reading: {
      currency: "USD",
      bids: [
        { price: 2.5, media_type: "banner", seat: "s", advertiser: ["shop.example"], creative: "c-1", refused: null },
      ],
      malformed: [],
    },
  });
  expect(JSON.parse(calls[0]?.request.body ?? "")).toMatchObject({ test: 1, device: { ip: "192.0.2.1", lmt: 1 } });
});

test.each([
  [{ price: -1 }, {}, "The price is not above zero"],
  [{ price: "2" }, {}, "The bid has no finite price"],
  [{ adm: undefined }, {}, "The bid brings no markup"],
  [{}, { cur: "EUR" }, "The bid is in a currency that was not offered"],
  [{ attr: [1] }, {}, null],
])(
  "a test says of a bid with %o in an answer with %o what an auction would refuse it for",
  async (some, answer, refused) => {
    const origin = await answering(({ id }) => {
      const bids = [
        { id: "b", impid: "1", price: 2, adm: "<b>", mtype: 1, ...some },
        { id: "c", impid: "1", price: 2, adomain: [5] },
      ];
      return { body: { id, cur: "USD", seatbid: [{ bid: bids }], ...answer } };
    });
    await save("judged", someSettings({ kind: "openrtb", media_types: ["banner"], endpoint: `${origin}/bid` }));
    const { calls } = (await send("judged", { media_type: "banner", keys: {} })).json<PartnerTest>();
    expect(calls[0]?.reading).toMatchObject({ bids: [{ refused }], malformed: [expect.stringContaining("adomain")] });
  },
);

test("a test says why no request is made, why there is no answer, and why an answer cannot be read", async () => {
  const origin = await serveHttp((message, reply) => {
    if (message.url === "/broken") reply.end("<html>");
    else message.socket.destroy();
  });
  expect((await send("xandr", { media_type: "banner", keys: {} })).json<PartnerTest>()).toMatchObject({ calls: [] });
  expect((await send("xandr", { media_type: "audio", keys: { placement_id: 1 } })).json<PartnerTest>().refused).toBe(
    "It is not asked for audio",
  );
  for (const [path, failure, fault] of [
    ["gone", "The connection was closed before the answer was whole", null],
    ["broken", null, "the answer is no JSON"],
  ] as const) {
    await upsertPartner(pool, somePartner({ id: path, endpoint: `${origin}/${path}` }));
    const { calls } = (await send(path, { media_type: "banner", keys: {} })).json<PartnerTest>();
    expect(calls[0]).toMatchObject({ failure, fault, reading: null });
  }
  expect((await send("nobody", { media_type: "banner", keys: {} })).statusCode).toBe(404);
});
