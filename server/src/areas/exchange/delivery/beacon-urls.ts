import type { BeaconKind, RewardTerms, SignedAd } from "./beacon-token.ts";

/** The addresses of one ad's beacons. */
export interface BeaconUrls {
  readonly impression: string;
  readonly click: string;
  readonly loss: string;
  /** For player events; the event is appended. */
  readonly player: string;
}

/** The addresses for markup; a null click is counted by the ad's own link. */
export type TrackingUrls = Omit<BeaconUrls, "click"> & { readonly click: string | null };

/**
 * Builds each address on demand, so that tokens are only sealed if the markup uses them. Tokens are base64url and a dot, so
 * they need no escaping in addresses, HTML or XML.
 */
export class LazyBeaconUrls implements BeaconUrls {
  readonly #publicUrl: string;
  readonly #tokens: SignedAd;
  /** Appended to the click's address; empty without a destination. */
  readonly #destination: string;

  constructor(publicUrl: string, tokens: SignedAd, destination = "") {
    this.#publicUrl = publicUrl;
    this.#tokens = tokens;
    this.#destination = destination;
  }

  get impression(): string {
    return this.#urlOf("impression");
  }

  get click(): string {
    return this.#urlOf("click") + this.#destination;
  }

  get loss(): string {
    return this.#urlOf("loss");
  }

  get player(): string {
    return this.#urlOf("player");
  }

  /** The address that reports a rewarded ad's reward. */
  reward(terms: RewardTerms): string {
    return `${this.#publicUrl}/beacon/reward?t=${this.#tokens.reward(terms)}`;
  }

  /** The same addresses, with a destination for the click; see `signedDestination`. */
  withDestination(destination: string): LazyBeaconUrls {
    return new LazyBeaconUrls(this.#publicUrl, this.#tokens, destination);
  }

  /** The same addresses for an ad whose own link counts its click. */
  withoutClick(): TrackingUrls {
    return { impression: this.impression, click: null, loss: this.loss, player: this.player };
  }

  #urlOf(kind: BeaconKind): string {
    return `${this.#publicUrl}/beacon/${kind}?t=${this.#tokens[kind]}`;
  }
}
