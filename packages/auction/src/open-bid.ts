import type { Candidate } from "./candidate.ts";
import type { BidPlace } from "./decision.ts";
import { candidateIdOf, type Judgement } from "./judge-bid.ts";
import type { RecordedBid, UnrecordedBid } from "./response.ts";

/** A bid that can be ranked before it is judged. */
export class OpenBid implements Candidate, BidPlace {
  readonly participantId: string;
  readonly call: number;
  readonly index: number;
  readonly impId: string;
  readonly source: UnrecordedBid;
  /** The price of the candidate that it may become. */
  priceMicros = 0;
  tier = 0;
  /** Null until it is judged. */
  judgement: Judgement | null = null;
  #recorded: RecordedBid | null = null;

  constructor({ participantId, call }: Omit<BidPlace, "index">, index: number, source: UnrecordedBid) {
    this.participantId = participantId;
    this.call = call;
    this.index = index;
    this.impId = source.impId;
    this.source = source;
  }

  get candidateId(): string {
    return candidateIdOf(this);
  }

  /** The same record each time. */
  recorded(): RecordedBid {
    return (this.#recorded ??= this.source.record());
  }
}
