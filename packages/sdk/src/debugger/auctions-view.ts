import { dollars, el, link } from "./dom.ts";
import type { RequestedAd } from "./page-facts.ts";
import type { DebuggedAuction } from "./read-debug-reply.ts";

/** The last requests of this page, each with its auction as far as it is known. */
export function auctionsView(asked: readonly RequestedAd[], known: readonly DebuggedAuction[], endpoint: string): Node {
  if (asked.length === 0) return el("p", {}, "This page has not asked for an ad yet.");
  const byId = new Map(known.map((auction) => [auction.auction, auction]));
  return el(
    "ul",
    { class: "auctions" },
    ...asked.map((ad) => el("li", {}, auctionItem(ad, byId.get(ad.auction ?? ""), endpoint))),
  );
}

function auctionItem(ad: RequestedAd, known: DebuggedAuction | undefined, endpoint: string): HTMLElement {
  const time = new Date(ad.at).toLocaleTimeString();
  const head = el(
    "summary",
    {},
    el("strong", {}, `${ad.zone}, ${ad.format}`),
    ` ${time}`,
    el("p", {}, known?.sentence ?? ad.text),
  );
  const page =
    ad.auction === null ? null : link("Open the auction in the dashboard", `${endpoint}/auctions/${ad.auction}`);
  const facts = [
    known?.test ? "A test: not counted." : null,
    known && known.price !== null ? `CPM ${dollars(known.price)}.` : null,
    known && known.answered_ms !== null ? `Answered in ${Math.round(known.answered_ms)} ms.` : null,
    known?.detail ?? null,
  ].filter((fact) => fact !== null && fact !== "");
  return el(
    "details",
    {},
    head,
    facts.length > 0 ? el("p", {}, facts.join(" ")) : null,
    known ? participants(known) : el("p", {}, "Enter a token and refresh to see each partner's result."),
    page,
  );
}

const participants = ({ participants: all }: DebuggedAuction) =>
  el(
    "ul",
    { class: "partners" },
    ...all.map(({ name, label, text, price, latency_ms: ms }) =>
      el(
        "li",
        {},
        el("strong", {}, name),
        ` ${[label, price === null ? null : dollars(price), ms === null ? null : `${Math.round(ms)} ms`].filter(Boolean).join(", ")}`,
        text === "" || text === label ? null : el("p", {}, text),
      ),
    ),
  );
