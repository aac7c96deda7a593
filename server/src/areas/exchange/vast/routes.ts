import { isMacro, type Query, UNKNOWN_COUNTRY, vastTag } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import { serveRaw } from "../../../platform/http/serve-raw.ts";
import type { AppConfig } from "../config/snapshot.ts";
import { deviceHash } from "../delivery/secrets.ts";
import type { Geo } from "../facts/geo.ts";
import { type Client, clientOf, viewerOf } from "../http/client.ts";
import { configuration } from "../http/configuration.ts";
import { type CallLimits, limitCall } from "../http/limit-calls.ts";
import { EMPTY_VAST } from "../markup/vast-markup.ts";
import { type SellDeps, sellPlace } from "../sdk/sell-place.ts";

type Tag = Query<typeof vastTag>;

export interface VastDeps extends SellDeps {
  limits: CallLimits;
  geo: Geo;
}

/** The ad tag for video and audio players. */
export function vastRoutes(scope: FastifyInstance, deps: VastDeps): void {
  serveRaw(scope, vastTag, "echo", async (request, reply) => {
    const parsed = vastTag.query.safeParse(filledValues(request.query));
    if (!parsed.success) {
      throw new Problem(
        "invalid",
        Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join(".") || "query", message])),
      );
    }
    const app = configuration(deps.config).byUuid.get(parsed.data.app.toLowerCase());
    if (!app) throw new Problem("not_found", { app: "There is no app with this key" });
    limitCall(deps.limits, clientOf(request), app);
    const xml = await vastOf(deps, app, parsed.data, { client: viewerOf(request), arrivedAt: request.arrivedAt });
    return reply.headers({ "content-type": "application/xml; charset=utf-8", "cache-control": "no-store" }).send(xml);
  });
}

/** What players fill in for a value that they do not know, and for one that they may not tell (VAST 4.2, section 6.1). */
const UNKNOWN = "-1";
const WITHHELD = "-2";
/** Where -1 is a value: of GPP sections, none applies. */
const TAKES_NEGATIVE = "gpp_sid";

/** The query of a tag without the values that its player did not tell, so that none of them is taken for a value. */
function filledValues(query: unknown): Record<string, unknown> {
  const filled = Object.entries(query as Record<string, unknown>).filter(([name, value]) => {
    if (typeof value !== "string") return true;
    if (value === "" || value === WITHHELD || isMacro(value)) return false;
    return value !== UNKNOWN || name === TAKES_NEGATIVE;
  });
  return Object.fromEntries(filled);
}

async function vastOf(
  deps: VastDeps,
  app: AppConfig,
  tag: Tag,
  { client, arrivedAt }: { client: Client; arrivedAt: number },
): Promise<string> {
  const { zone, format, tcf, gdpr, us_privacy, gpp, gpp_sid, coppa } = tag;
  const country = client.ip === "" ? UNKNOWN_COUNTRY : deps.geo(client.ip);
  const { ads } = await sellPlace(deps, {
    app,
    place: { zone, format, w: tag.w ?? null, h: tag.h ?? null, screen: null, sdkVersion: "", maxSeconds: tag.max },
    device: { os: "", ...(tag.ifa !== undefined && { ifa: tag.ifa }), ...(tag.lmt !== undefined && { lmt: tag.lmt }) },
    consent: { gdpr, tcf, us_privacy, gpp, gpp_sid, coppa },
    client,
    country,
    viewer: ({ device }) => ({
      device: deviceHash(deps.ads.keyring, device?.ifa ?? `${client.ip} ${client.userAgent}`),
      firstDay: 0,
      sdkVersion: "",
    }),
    renderer: "page",
    limit: 1,
    arrivedAt,
  });
  return ads[0]?.markup.content ?? EMPTY_VAST;
}
