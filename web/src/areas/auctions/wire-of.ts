import { jsonText } from "../../shared/json-text.ts";
import type { Explained, Participant } from "../../shared/auctions/use-auction.ts";

type Call = Participant["calls"][number];

/** A message to or from a partner. If its body could not be read, `text` is null and `why` gives the reason. */
export interface Message {
  name: "Request" | "Answer";
  facts: string;
  text: string | null;
  why?: string;
}

export interface Wire {
  /** Whether each request is the adapter's own; otherwise there is one, the auction's, as recorded. */
  isAsSent: boolean;
  messages: Message[];
}

/** The messages to and from a partner as text; null if they are not kept. */
export function wireOf({ request, participants }: Explained, provider: string): Wire | null {
  const partner = participants.find((each) => each.provider === provider);
  if (!partner || !isRequest(request) || partner.calls.length === 0) return null;
  const { calls } = partner;
  const isAsSent = calls.every(({ sent }) => sent !== null);
  const messages = calls.flatMap((call, nth): Message[] => {
    const number = calls.length === 1 ? "" : `call ${nth + 1}`;
    const answer = answerOf(call, number);
    if (call.sent === null) return [answer];
    return [
      { name: "Request", facts: factsOf(number, `OpenRTB ${call.sent.version}`), text: jsonText(call.sent.body) },
      answer,
    ];
  });
  return {
    isAsSent,
    messages: isAsSent ? messages : [recorded(request, partner), ...messages.filter(({ name }) => name === "Answer")],
  };
}

function answerOf({ status, http_status: http, latency_ms: latencyMs, answer }: Call, number: string): Message {
  const facts = factsOf(number, http === null ? status.text : `HTTP ${http}`, `after ${Math.round(latencyMs)} ms`);
  if (answer !== null && answer !== undefined) return { name: "Answer", facts, text: jsonText(answer) };
  const why = http === 204 ? "HTTP 204 has no body. It means no bid." : "No body that could be read.";
  return { name: "Answer", facts, text: null, why };
}

const factsOf = (...facts: string[]) => facts.filter((fact) => fact !== "").join(" · ");

/** The auction's request with the imps that the partner was asked for. */
function recorded(request: { imp: { id: string }[] }, { calls, refusals }: Participant): Message {
  const refused = new Set(refusals.map(({ imp }) => imp));
  const imp = request.imp.filter(({ id }) => !refused.has(id));
  return {
    name: "Request",
    facts: calls.length === 1 ? "OpenRTB 2.6" : `OpenRTB 2.6, sent in ${calls.length} calls`,
    text: jsonText({ ...request, imp }),
  };
}

const isRequest = (value: unknown): value is { imp: { id: string }[] } =>
  typeof value === "object" && value !== null && "imp" in value && Array.isArray(value.imp);
