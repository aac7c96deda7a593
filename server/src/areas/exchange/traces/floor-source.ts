import { type FloorDraw, type FloorRule, floorDrawOf, publisherFloorMicros } from "@millrace/auction";
import { FORMAT_LABELS, type Format } from "@millrace/contract";
import { formatCpm } from "@millrace/units";
import { countryName } from "../../statistics/index.ts";

export interface FloorSource {
  source: "publisher" | "automatic" | "request" | "nobody";
  country: string | null;
  format: Format | null;
  text: string;
}

interface FloorInput {
  app: { floors: readonly FloorRule[] };
  device: { country: string | null };
  floorDraws?: readonly FloorDraw[];
}

/** Who set an imp's floor: the publisher's most specific rule, what was learned above it, or the request if it asked for more. */
export function floorSource(
  { app, device, floorDraws }: FloorInput,
  { impId, format, floorMicros }: { impId: string; format: Format; floorMicros: number },
): FloorSource {
  const draw = floorDrawOf({ floorDraws }, impId);
  const held = draw === undefined ? "" : heldText(draw);
  if (floorMicros === 0) return { source: "nobody", country: null, format: null, text: `No floor is set${held}` };
  const byPublisher = publisherFloorMicros(app.floors, device.country, format);
  // A learned floor that the publisher's own reaches changed nothing.
  if (draw !== undefined && draw.step !== null && draw.floorMicros === floorMicros && floorMicros > byPublisher) {
    const { country, format: of } = scopeOfRule(app.floors, device.country, format);
    return { source: "automatic", country, format: of, text: automaticText(draw, byPublisher) };
  }
  if (byPublisher < floorMicros) {
    return { source: "request", country: null, format: null, text: "Set by the request itself" };
  }
  const { country, format: of } = scopeOfRule(app.floors, device.country, format);
  const where = country === null ? "all countries" : countryName(country);
  const what = of === null ? "all formats" : FORMAT_LABELS[of].toLowerCase();
  return { source: "publisher", country, format: of, text: `Your floor for ${where}, ${what}${held}` };
}

function automaticText({ arm, probability }: FloorDraw, ownMicros: number): string {
  const how = arm === "shock" ? "a step beside the learned one, " : "";
  const own = ownMicros === 0 ? "you set none" : `your floor is ${formatCpm(ownMicros)}`;
  return `Automatic floor, ${how}drawn with a probability of ${percentText(probability)}; ${own}`;
}

/** Why a request of an app with automatic floors has the publisher's. */
function heldText({ arm, probability }: FloorDraw): string {
  if (arm === "learned" || arm === "shock") return "; the automatic floor is not above it";
  if (arm === "held") return `; held out of automatic floors, as ${percentText(probability)} of requests are`;
  return `; automatic floors are on trial, and ${percentText(probability)} of requests keep yours`;
}

const percentText = (share: number): string => `${Math.round(share * 1000) / 10}%`;

/** What the applying rule is for, by the precedence of `publisherFloorMicros`. */
function scopeOfRule(rules: readonly FloorRule[], country: string | null, format: Format) {
  const precedence = [
    { country, format },
    { country, format: null },
    { country: null, format },
    { country: null, format: null },
  ];
  const found = precedence.find((scope) =>
    rules.some((rule) => (rule.country ?? null) === scope.country && (rule.format ?? null) === scope.format),
  );
  return found ?? { country: null, format: null };
}
