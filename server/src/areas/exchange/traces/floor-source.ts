import { type FloorRule, publisherFloorMicros } from "@millrace/auction";
import { FORMAT_LABELS, type Format } from "@millrace/contract";
import { countryName } from "../../statistics/index.ts";

export interface FloorSource {
  source: "publisher" | "request" | "nobody";
  country: string | null;
  format: Format | null;
  text: string;
}

/** Who set an imp's floor: the publisher's most specific rule, or the request if it asked for more. */
export function floorSource(
  { app, device }: { app: { floors: readonly FloorRule[] }; device: { country: string | null } },
  { format, floorMicros }: { format: Format; floorMicros: number },
): FloorSource {
  if (floorMicros === 0) return { source: "nobody", country: null, format: null, text: "No floor is set" };
  const byPublisher = publisherFloorMicros(app.floors, device.country, format);
  if (byPublisher < floorMicros) {
    return { source: "request", country: null, format: null, text: "Set by the request itself" };
  }
  const { country, format: of } = scopeOfRule(app.floors, device.country, format);
  const where = country === null ? "all countries" : countryName(country);
  const what = of === null ? "all formats" : FORMAT_LABELS[of].toLowerCase();
  return { source: "publisher", country, format: of, text: `Your floor for ${where}, ${what}` };
}

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
