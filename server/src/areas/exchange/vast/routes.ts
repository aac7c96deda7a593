import { publisherFloorMicros } from "@millrace/auction";
import { type Query, UNKNOWN_COUNTRY, vastTag } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import { serveRaw } from "../../../platform/http/serve-raw.ts";
import { deadlineOf, newAuctionId, recordAuction, runAuction } from "../auction/run-auction.ts";
import { configuration, type ExchangeContext, limitCall } from "../context.ts";
import { deviceHash } from "../delivery/secrets.ts";
import { type Client, clientOf } from "../facts/client.ts";
import { makeAds } from "../markup/make-ad.ts";
import { EMPTY_VAST } from "../markup/vast-markup.ts";
import { SDK_IMP_ID } from "../sdk/build-imp.ts";
import { buildRequest } from "../sdk/build-request.ts";

type Tag = Query<typeof vastTag>;

/** A tag for players, which ask by an address and know nothing else of us. */
export function vastRoutes(scope: FastifyInstance, context: ExchangeContext): void {
  serveRaw(scope, vastTag, "any", async (request, reply) => {
    const parsed = vastTag.query.safeParse(request.query);
    if (!parsed.success) {
      throw new Problem(
        "invalid",
        Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join(".") || "query", message])),
      );
    }
    const xml = await vastOf(context, parsed.data, clientOf(request), request.arrivedAt);
    return reply.headers({ "content-type": "application/xml; charset=utf-8", "cache-control": "no-store" }).send(xml);
  });
}

async function vastOf(context: ExchangeContext, tag: Tag, client: Client, arrivedAt: number): Promise<string> {
  const app = configuration(context).byUuid.get(tag.app.toLowerCase());
  if (!app) throw new Problem("not_found", { app: "There is no app with this key" });
  limitCall(context, client, app);
  const { zone: name, format, tcf, gdpr, us_privacy, coppa } = tag;
  const country = client.ip === "" ? UNKNOWN_COUNTRY : context.geo(client.ip);
  const tmaxMs = deadlineOf(context);
  const auctionId = newAuctionId();
  const request = buildRequest({
    auctionId,
    app,
    place: {
      zone: name,
      format,
      w: tag.w ?? null,
      h: tag.h ?? null,
      screen: null,
      isSecure: context.ads.publicUrl.startsWith("https:"),
      sdkVersion: "",
      floorMicros: publisherFloorMicros(app.facts.floors, country, format),
      maxSeconds: tag.max,
    },
    device: { os: "", ...(tag.ifa !== undefined && { ifa: tag.ifa }), ...(tag.lmt !== undefined && { lmt: tag.lmt }) },
    consent: { gdpr, tcf, us_privacy, coppa },
    client,
    country,
    tmaxMs,
  });
  const auction = await runAuction(context, {
    auctionId,
    app,
    request,
    formats: { [SDK_IMP_ID]: format },
    country,
    arrivedAt,
    tmaxMs,
  });
  const zone = context.zones.note(app, name, format);
  const device = deviceHash(context.ads.keyring, request.device?.ifa ?? `${client.ip} ${client.userAgent}`);
  const audience = { zone, country, device, firstDay: 0, sdkVersion: "", format };
  const ads = makeAds(context.ads, auction, SDK_IMP_ID, audience, { renderer: "page", limit: 1 });
  recordAuction(context, auction, [{ impId: SDK_IMP_ID, audience, ads }], performance.now() - arrivedAt);
  return ads[0]?.markup.content ?? EMPTY_VAST;
}
