import { seededHash } from "@millrace/auction";
import type { Log } from "../../../platform/log.ts";
import type { LiveCampaign } from "./live-campaigns.ts";
import type { LiveCreative } from "./live-creatives.ts";

/** What is known of a creative: how often it was shown and clicked. */
export interface CreativeCounts {
  impressions: number;
  clicks: number;
}

/** A creative, and the part of the experiment that it was chosen in; empty where there was no choice, or no fair one. */
export interface Rotated {
  creative: LiveCreative;
  arm: "" | "even" | "held" | "learned";
}

interface RotationDeps {
  /** The counts of these campaigns' creatives, by the creatives' ids. */
  read(campaignIds: readonly number[]): Promise<ReadonlyMap<number, CreativeCounts>>;
  log: Log;
}

const NOTHING_KNOWN: CreativeCounts = { impressions: 0, clicks: 0 };

/**
 * Chooses among the creatives that fit an imp: evenly, or by Thompson sampling of their click rates, except for a fixed share
 * that stays even. Only even choices are compared with each other, because learned ones follow the time of day and the audience.
 */
export class CreativeRotation {
  readonly #deps: RotationDeps;
  readonly #learning = new Set<number>();
  #counts: ReadonlyMap<number, CreativeCounts> = new Map();

  constructor(deps: RotationDeps) {
    this.#deps = deps;
  }

  set(campaign: LiveCampaign): void {
    if (campaign.rotation === "learn" && campaign.creatives.length > 1) this.#learning.add(campaign.id);
    else this.#learning.delete(campaign.id);
  }

  remove(id: number): void {
    this.#learning.delete(id);
  }

  /** Reads what is known of the creatives of campaigns that learn. */
  async refresh(): Promise<void> {
    if (this.#learning.size === 0) return;
    try {
      this.#counts = await this.#deps.read([...this.#learning]);
    } catch (error) {
      this.#deps.log.warn({ err: error }, "counts of creatives cannot be read; the former ones are used");
    }
  }

  /** Undefined if none fits. The same auction always chooses the same one of the same counts. */
  choose(
    { id, rotation, holdOutPercent, creatives }: Pick<LiveCampaign, "id" | "rotation" | "holdOutPercent" | "creatives">,
    fitting: readonly LiveCreative[],
    auctionId: string,
  ): Rotated | undefined {
    const [only] = fitting;
    if (!only) return undefined;
    if (fitting.length === 1) return { creative: only, arm: "" };
    const evenly = (arm: Rotated["arm"]): Rotated => {
      const creative = fitting[seededHash(auctionId, "creative") % fitting.length] ?? only;
      return { creative, arm: isFair(creative, fitting, creatives) ? arm : "" };
    };
    if (rotation === "even") return evenly("even");
    if (seededHash(auctionId, `hold out ${id}`) < (holdOutPercent / 100) * 2 ** 32) return evenly("held");
    let [best, highest] = [only, -1];
    for (const creative of fitting) {
      const { impressions, clicks } = this.#counts.get(creative.id) ?? NOTHING_KNOWN;
      const drawn = betaSample(clicks + 1, Math.max(0, impressions - clicks) + 1, draws(auctionId, creative.id));
      if (drawn > highest) [best, highest] = [creative, drawn];
    }
    return { creative: best, arm: "learned" };
  }
}

/** Whether all that a creative is compared with fit as well: a place that only some of them fit tells nothing about the others. */
const isFair = (
  { comparedAs }: LiveCreative,
  fitting: readonly LiveCreative[],
  all: readonly LiveCreative[],
): boolean =>
  fitting.length === all.length || all.every((other) => other.comparedAs !== comparedAs || fitting.includes(other));

/** Numbers between 0 and 1, which an auction always draws alike. */
function draws(auctionId: string, creativeId: number): () => number {
  let nth = 0;
  return () => (seededHash(auctionId, `draw ${creativeId} ${nth++}`) + 0.5) / 2 ** 32;
}

/** A sample of a beta distribution, as the share of one of two gamma samples. */
function betaSample(a: number, b: number, draw: () => number): number {
  const x = gammaSample(a, draw);
  return x / (x + gammaSample(b, draw));
}

/** A sample of a gamma distribution with a shape of 1 or more (Marsaglia and Tsang, 2000). */
function gammaSample(shape: number, draw: () => number): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const normal = Math.sqrt(-2 * Math.log(draw())) * Math.cos(2 * Math.PI * draw());
    const v = (1 + c * normal) ** 3;
    if (v > 0 && Math.log(draw()) < 0.5 * normal * normal + d - d * v + d * Math.log(v)) return d * v;
  }
}
