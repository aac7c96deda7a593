/** One way to fill an imp: a bid, a campaign's ad, a line item or an in-house ad. */
export interface Candidate {
  participantId: string;
  impId: string;
  /** Unique in the auction, and the same wherever it is replayed: it breaks ties. */
  candidateId: string;
  /** CPM in micro-dollars: a bid's price, or a line item's expected one. */
  priceMicros: number;
  /** Lower tiers are served first at any price: 0 competes, 1 fills what is left. Default: 0. */
  tier?: number | undefined;
}

/** The result of ranking a candidate. */
export interface Standing {
  /** From 1, the winner. */
  position: number;
  /** The clearing price: first price, so its own; 0 for an in-house ad, which is free, and for a line item, which others pay. */
  clearingPriceMicros: number;
}

/** A candidate with its place among its fields. */
export type Ranked<C extends Candidate = Candidate> = C & Standing;
