import type { Reply, ShownAuction, showcase } from "@millrace/contract";
import { type BidderRow, type Labels, auctionInWords } from "./auction-words.ts";

const SHOWN_MS = 4000;
/** Fewer than this many left to show, and the next are asked for. */
const REFILL_AT = 2;

/** Shows the demo's auctions one after the other while the picture is visible, until its visitor pauses it. */
export function livingAuctions(figure: HTMLElement, load = loadAuctions): void {
  const labels = JSON.parse(figure.dataset["auction"] ?? "{}") as Labels;
  const deadlineMs = Number(figure.dataset["deadline"]);
  const pause = slot(figure, "pause");
  const waiting: ShownAuction[] = [];
  let newest = "";
  let isPaused = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let isVisible = false;
  let isBusy = false;

  async function next(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    try {
      if (waiting.length <= REFILL_AT) {
        const fresh = (await load()).filter(({ at }) => at > newest).toReversed();
        waiting.push(...fresh);
        newest = fresh.at(-1)?.at ?? newest;
      }
      const auction = waiting.shift();
      if (auction) draw(figure, auctionInWords(auction, labels, deadlineMs));
    } finally {
      isBusy = false;
    }
  }
  // A failed load is tried again at the next turn.
  const run = () => void (isVisible && !isPaused && !document.hidden && next().catch(() => undefined));
  const tell = () => {
    pause.textContent = isPaused ? "Show the auctions that run now" : "Pause";
    pause.hidden = false;
  };

  pause.addEventListener("click", () => {
    isPaused = !isPaused;
    tell();
    run();
  });
  new IntersectionObserver((entries) => {
    isVisible = entries.some(({ isIntersecting }) => isIntersecting);
    run();
  }).observe(figure);
  setInterval(run, SHOWN_MS);
  tell();
}

async function loadAuctions(): Promise<ShownAuction[]> {
  const reply = await fetch("/showcase.json", { headers: { accept: "application/json" } });
  return reply.ok ? ((await reply.json()) as Reply<typeof showcase>).auctions : [];
}

function draw(figure: HTMLElement, { title, sentence, rows }: ReturnType<typeof auctionInWords>): void {
  slot(figure, "title").textContent = title;
  slot(figure, "source").textContent = "From the demo exchange, in the last minutes";
  slot(figure, "sentence").textContent = sentence;
  const row = figure.querySelector("template")?.content.firstElementChild;
  if (row)
    slot(figure, "rows").replaceChildren(...rows.map((each) => filled(row.cloneNode(true) as HTMLElement, each)));
  figure.dataset["living"] = "";
}

/** A copy of the template's row. */
function filled(row: HTMLElement, { result, place, ...words }: BidderRow): HTMLElement {
  row.dataset["result"] = result;
  for (const name of ["who", "after", "word", "share"] as const) slot(row, name).textContent = words[name];
  slot(row, "line").setAttribute("x2", place);
  slot(row, "dot").setAttribute("cx", place);
  slot(row, "bar").setAttribute("width", words.share === "" ? "0" : words.share);
  return row;
}

/** A part of the page that the build drew. */
function slot(within: HTMLElement, name: string): HTMLElement {
  const found = within.querySelector<HTMLElement>(`[data-slot="${name}"]`);
  if (!found) throw new Error(`the landing page has no ${name}`);
  return found;
}
