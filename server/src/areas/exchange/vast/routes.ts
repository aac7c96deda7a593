import { cachedVast, type Query, UNKNOWN_COUNTRY, vastTag } from "@millrace/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import { serveRaw } from "../../../platform/http/serve-raw.ts";
import { configuration, type ExchangeContext, limitCall } from "../context.ts";
import { deviceHash } from "../delivery/secrets.ts";
import { type Client, clientOf } from "../facts/client.ts";
import { EMPTY_VAST } from "../markup/vast-markup.ts";
import { sellPlace } from "../sdk/sell-place.ts";

type Tag = Query<typeof vastTag>;

/** A tag for players, which ask by an address and know nothing else of us. */
export function vastRoutes(scope: FastifyInstance, context: ExchangeContext): void {
  serveRaw(scope, vastTag, "echo", async (request, reply) => {
    const parsed = vastTag.query.safeParse(request.query);
    if (!parsed.success) {
      throw new Problem(
        "invalid",
        Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join(".") || "query", message])),
      );
    }
    const xml = await vastOf(context, parsed.data, clientOf(request), request.arrivedAt);
    return sendXml(reply, xml);
  });
  serveRaw(scope, cachedVast, "echo", (request, reply) => sendCached(context, request, reply));
}

/** A document that an OpenRTB answer has left here, for a player that is given its address. */
async function sendCached(context: ExchangeContext, request: FastifyRequest, reply: FastifyReply) {
  const client = clientOf(request);
  context.limits.beacon.take(client.ip);
  const { uuid } = request.query as Record<string, unknown>;
  const xml = typeof uuid === "string" ? context.vastCache.find(uuid) : undefined;
  if (!xml) throw new Problem("not_found", { uuid: "There is no document of this id, or no more" });
  return sendXml(reply, xml);
}

const sendXml = (reply: FastifyReply, xml: string | Buffer) =>
  reply.headers({ "content-type": "application/xml; charset=utf-8", "cache-control": "no-store" }).send(xml);

async function vastOf(context: ExchangeContext, tag: Tag, client: Client, arrivedAt: number): Promise<string> {
  const app = configuration(context).byUuid.get(tag.app.toLowerCase());
  if (!app) throw new Problem("not_found", { app: "There is no app with this key" });
  limitCall(context, client, app);
  const { zone, format, tcf, gdpr, us_privacy, coppa } = tag;
  const country = client.ip === "" ? UNKNOWN_COUNTRY : context.geo(client.ip);
  const { ads } = await sellPlace(context, {
    app,
    place: { zone, format, w: tag.w ?? null, h: tag.h ?? null, screen: null, sdkVersion: "", maxSeconds: tag.max },
    device: { os: "", ...(tag.ifa !== undefined && { ifa: tag.ifa }), ...(tag.lmt !== undefined && { lmt: tag.lmt }) },
    consent: { gdpr, tcf, us_privacy, coppa },
    client,
    country,
    viewer: ({ device }) => ({
      device: deviceHash(context.ads.keyring, device?.ifa ?? `${client.ip} ${client.userAgent}`),
      firstDay: 0,
      sdkVersion: "",
    }),
    renderer: "page",
    limit: 1,
    arrivedAt,
  });
  return ads[0]?.markup.content ?? EMPTY_VAST;
}
