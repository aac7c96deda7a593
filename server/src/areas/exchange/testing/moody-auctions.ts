import { askOpenrtb } from "./ask-openrtb.ts";
import type { TestWorld } from "./exchange-for-each-test.ts";
import { type Behaviour, goodBid, sendBids } from "./start-bidder.ts";
import { ANDROID_UA, askForAd, DEVICE, fire, startSession } from "./start-exchange.ts";

/** Few auctions at a time: on a busy machine, many together would all run into the deadline. */
const BATCHES = 100;

/** Answers as partners do: no bid, errors, broken and blocked bids, bids around the floor, ties, and sometimes nothing. */
function moody(seed: number): Behaviour {
  let state = seed;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return (request, reply, origin) => {
    const roll = random();
    // Few prices, so that some bids tie.
    const price = Math.round(random() * 20) / 10 + (random() < 0.2 ? 0.000_301 : 0);
    const bids = request.imp.map((imp, nth) => ({
      ...goodBid(request, origin, price),
      id: `bid-${nth}`,
      impid: imp.id,
    }));
    if (roll < 0.012) return;
    if (roll < 0.2) reply.writeHead(204).end();
    else if (roll < 0.25) reply.writeHead(503).end();
    else if (roll < 0.28) reply.writeHead(200).end("{");
    else if (roll < 0.33)
      sendBids(
        reply,
        request,
        bids.map((bid) => ({ ...bid, adomain: ["blocked.example"] })),
      );
    else if (roll < 0.37)
      sendBids(
        reply,
        request,
        bids.map((bid) => ({ ...bid, w: 1 })),
      );
    else if (roll < 0.45)
      sendBids(
        reply,
        request,
        bids.map((bid) => ({ ...bid, dealid: "deal-1" })),
      );
    else if (roll < 0.5) sendBids(reply, request, bids.slice(0, 1));
    else sendBids(reply, request, bids);
  };
}

/** A thousand auctions among moody bidders: half by the SDK with beacons, half by a server with two imps and a deal. */
export async function holdMoodyAuctions(at: TestWorld): Promise<void> {
  for (let nth = 0; nth < 5; nth++) await at.partner(`p${nth}`, moody(nth + 1));
  await at.partner("muted", moody(99), { media_types: ["audio"] });
  const { pool } = at.stores.pg;
  await pool.query("INSERT INTO floors (app_id, country, format, floor_micros) VALUES ($1, NULL, 'banner', 300000)", [
    at.app.id,
  ]);
  await pool.query("UPDATE apps SET blocked_domains = '{blocked.example}' WHERE id = $1", [at.app.id]);
  await at.exchange.exchange.reloadConfig();
  for (let batch = 0; batch < BATCHES; batch++) {
    const headers = { "x-forwarded-for": `203.0.113.${batch}` };
    const session = await startSession(at.exchange, at.app);
    await Promise.all([
      ...Array.from({ length: 5 }, async (_, nth) => {
        const { ads } = await askForAd(at.exchange, session, { zone: `zone-${nth % 3}`, device: DEVICE }, headers);
        await show(at, ads, nth, headers);
      }),
      ...Array.from({ length: 5 }, (_, nth) =>
        askOpenrtb(
          at.exchange,
          {
            id: `request-${nth}`,
            test: nth === 4 && batch % 2 === 0 ? 1 : 0,
            imp: ["imp-1", "imp-2"].map((id, imp) => ({
              id,
              tagid: `/home/${id}`,
              banner: { format: [{ w: 320, h: 50 }] },
              bidfloor: imp === 0 ? 0.1 : 0.5,
              pmp: { deals: [{ id: "deal-1", bidfloor: 1.2 }] },
            })),
            app: { bundle: "com.example.game" },
            device: { ua: ANDROID_UA, ip: "8.8.8.8", os: "Android" },
          },
          headers,
        ),
      ),
    ]);
  }
}

/** Shows the first ad, the second, the first to a crawler, or none. */
async function show(
  at: TestWorld,
  ads: { beacons: { impression: string; click: string } }[],
  nth: number,
  headers: Record<string, string>,
) {
  const ad = ads[nth % 4 === 1 ? 1 : 0];
  if (!ad || nth % 4 === 3) return;
  const agent: Record<string, string> = nth % 4 === 2 ? { "user-agent": "Googlebot/2.1" } : {};
  await fire(at.exchange, ad.beacons.impression, { ...headers, ...agent });
  if (nth % 4 === 0) await fire(at.exchange, ad.beacons.click, headers);
}
