import { DAY_MS } from "@millrace/units";
import { added, aged, type Evidence, NO_EVIDENCE, sighting } from "../evidence.ts";
import { liftOf } from "../floor-lift.ts";
import {
  drawFloor,
  FLOOR_HALF_LIFE_MS,
  floorAtStep,
  type LearnedFloor,
  nextStep,
  stepOfFloor,
} from "../learned-floor.ts";
import { type Random, seeded } from "./seeded.ts";

/** A request's floor as a seller sets it. */
export interface Seller {
  floorOf(auction: string): number;
  earned(revenueMicros: number): void;
  rests(): void;
}

/**
 * A buyer that shades: it bids a share of what the ad is worth to it, and reconsiders the share after every 500 auctions
 * by what each share would have brought it then, rivals and floors as they were. It bids the floor where that is more
 * than the shaded bid and not more than the worth.
 */
class ShadingBidder {
  static readonly SHARES = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
  #share = 0.8;
  #auctions = 0;
  #surplus = new Map(ShadingBidder.SHARES.map((share) => [share, 0]));

  bid(worth: number, floor: number): number {
    return ShadingBidder.#bidAt(this.#share, worth, floor);
  }

  hears(worth: number, floor: number, rival: number): void {
    for (const [share, surplus] of this.#surplus) {
      const bid = ShadingBidder.#bidAt(share, worth, floor);
      if (bid > rival) this.#surplus.set(share, surplus + worth - bid);
    }
    if (++this.#auctions % 500 > 0) return;
    const [best] = [...this.#surplus].sort(([, a], [, b]) => b - a);
    // One step at a time: buyers turn slowly.
    const at = ShadingBidder.SHARES.indexOf(this.#share);
    const turn = Math.sign(ShadingBidder.SHARES.indexOf(best?.[0] ?? this.#share) - at);
    this.#share = ShadingBidder.SHARES[at + turn] ?? this.#share;
    for (const share of ShadingBidder.SHARES) this.#surplus.set(share, 0);
  }

  /** 0 for no bid. */
  static #bidAt(share: number, worth: number, floor: number): number {
    return worth < floor ? 0 : Math.max(share * worth, floor);
  }
}

/** The revenue of each auction, CPM in micro-dollars. */
export function sell(seed: string, seller: Seller, auctions: number): number[] {
  const random = seeded(`auctions ${seed}`);
  const bidders = [1, 2, 3].map(() => ({ mind: new ShadingBidder(), scale: 1_500_000 + 1_500_000 * random.next() }));
  const revenue: number[] = [];
  for (let nth = 0; nth < auctions; nth++) {
    const floor = seller.floorOf(`${seed} ${nth}`);
    revenue.push(sellOne(random, bidders, floor));
    seller.earned(revenue[nth] as number);
    if (nth % AUCTIONS_PER_FIT === 0) seller.rests();
  }
  return revenue;
}

function sellOne(random: Random, bidders: { mind: ShadingBidder; scale: number }[], floor: number): number {
  const wanting = bidders.map(({ mind, scale }) => {
    const worth = random.next() < 0.6 ? scale * random.factor(0.7) : 0;
    return { mind, worth, bid: worth > 0 ? mind.bid(worth, floor) : 0 };
  });
  for (const { mind, worth } of wanting) {
    const rival = Math.max(0, ...wanting.filter((other) => other.mind !== mind).map(({ bid }) => bid));
    if (worth > 0) mind.hears(worth, floor, rival);
  }
  return Math.max(0, ...wanting.map(({ bid }) => bid));
}

export const fixedFloor = (micros: number): Seller => ({ floorOf: () => micros, earned() {}, rests() {} });

const AUCTIONS_PER_FIT = 1000;
/** A cell with 20,000 auctions a day. */
const FIT_MS = DAY_MS * (AUCTIONS_PER_FIT / 20_000);

/** Automatic floors of a cell whose publisher has the given floor. */
export function automaticFloors(publisherMicros: number, startMicros: number): Seller & { floor: LearnedFloor } {
  const byStep = new Map<number, Evidence>();
  let [automatic, held] = [NO_EVIDENCE, NO_EVIDENCE];
  let last: ReturnType<typeof drawFloor>;
  return {
    floor: { step: stepOfFloor(startMicros), isProven: false },
    floorOf(seed) {
      last = drawFloor({ seed, impId: "1" }, this.floor, publisherMicros);
      return last.floorMicros;
    },
    earned(revenueMicros) {
      const one = sighting(revenueMicros);
      if (last.arm === "held") held = added(held, one);
      if (last.step === null) return;
      automatic = added(automatic, one);
      byStep.set(last.step, added(byStep.get(last.step) ?? NO_EVIDENCE, one));
    },
    rests() {
      for (const [step, evidence] of byStep) byStep.set(step, aged(evidence, FIT_MS, FLOOR_HALF_LIFE_MS));
      this.floor = { step: nextStep(byStep, this.floor.step), isProven: liftOf(automatic, held).isProven };
    },
  };
}

export const FLOOR_STEPS = Array.from({ length: 9 }, (_, nth) => floorAtStep(stepOfFloor(900_000) + nth * 2));
