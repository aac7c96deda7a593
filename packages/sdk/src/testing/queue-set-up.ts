import { deliveryQueue, type Outcome } from "../core/delivery-queue.ts";
import { memoryStorage } from "../core/memory-storage.ts";
import type { Incoming, Outgoing, Storage, Transport } from "../core/host.ts";
import { manualClock } from "./manual-clock.ts";

export const reply = (status: number, retryAfterMs: number | null = null): Incoming => ({
  status,
  json: undefined,
  retryAfterMs,
});
export const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

export function setUp(transport: Transport, storage: Storage = memoryStorage(), random: () => number = () => 0.5) {
  const clock = manualClock();
  const outcomes: Outcome[] = [];
  const host = { clock, storage, transport, random };
  const open = () => deliveryQueue(host, "q.", (outcome) => outcomes.push(outcome));
  return { clock, storage, outcomes, open };
}

/** The tokens of a request's beacons, and its pings. */
export const tokensIn = ({ url, body }: Outgoing): string[] =>
  body === undefined
    ? [url.replace(/.*t=/, "")]
    : (JSON.parse(body) as { events: { token?: string; seq?: number }[] }).events.map(
        ({ token, seq }) => token ?? `ping ${seq}`,
      );
export const beacon = (token: string, kind = "impression") => `https://ads.test/beacon/${kind}?t=${token}`;
export const results = (list: unknown) => ({ ...reply(200), json: { results: list } });

export function remembering(answer: (request: Outgoing) => Incoming) {
  const sent: string[] = [];
  const transport: Transport = async (request) => {
    const tokens = tokensIn(request).join(" ");
    sent.push(request.url.endsWith("/sdk/v1/events") ? `[${tokens}]` : tokens);
    return answer(request);
  };
  return { sent, transport };
}
export const takenBy = (request: Outgoing) =>
  request.body === undefined ? reply(200) : results(tokensIn(request).map(() => ({ result: "accepted" })));
