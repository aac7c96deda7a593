import type { Explained } from "../../shared/auctions/use-auction.ts";

export interface Wire {
  request: string;
  requestFacts: string;
  answers: { facts: string; text: string | null }[];
}

/** The messages to and from a partner as text, with the imps that it was asked for; null if they are not kept. */
export function wireOf({ request, participants }: Explained, provider: string): Wire | null {
  const partner = participants.find((each) => each.provider === provider);
  if (!partner || !isRequest(request) || partner.calls.length === 0) return null;
  const refused = new Set(partner.refusals.map(({ imp }) => imp));
  const imp = request.imp.filter(({ id }) => !refused.has(id));
  return {
    request: jsonText({ ...request, imp }),
    requestFacts: partner.calls.length === 1 ? "OpenRTB 2.6" : `OpenRTB 2.6, sent in ${partner.calls.length} calls`,
    answers: partner.calls.map(({ status, http_status: http, latency_ms: latencyMs, answer }, nth) => ({
      facts: [
        partner.calls.length === 1 ? "" : `call ${nth + 1}`,
        http === null ? status.text : `HTTP ${http}`,
        `after ${Math.round(latencyMs)} ms`,
      ]
        .filter((fact) => fact !== "")
        .join(" · "),
      text: answer === null || answer === undefined ? null : jsonText(answer),
    })),
  };
}

const isRequest = (value: unknown): value is { imp: { id: string }[] } =>
  typeof value === "object" && value !== null && "imp" in value && Array.isArray(value.imp);

/** Indented JSON, with lists of plain values in one line. */
const jsonText = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(
    /\[\n\s+([^[\]{}]*?)\n\s+\]/g,
    (_, items: string) => `[${items.replaceAll(/,\n\s+/g, ", ")}]`,
  );
