import type { AdTokens, BeaconKind } from "./beacon-token.ts";

/** The addresses of one ad's beacons. */
export interface BeaconUrls {
  readonly impression: string;
  readonly click: string;
  readonly loss: string;
  /** What a player tells while the ad plays; the event is added to it. */
  readonly player: string;
}

/**
 * Makes an address when it is read, so that a token is sealed only for markup that has it. Tokens are base64url and a
 * dot: they stand in an address, in HTML and in XML as they are.
 */
export class LazyBeaconUrls implements BeaconUrls {
  readonly #publicUrl: string;
  readonly #tokens: AdTokens;
  /** The end of the click's address; empty where it leads nowhere. */
  readonly #destination: string;

  constructor(publicUrl: string, tokens: AdTokens, destination = "") {
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

  /** The same addresses, with a click that leads on; see `signedDestination`. */
  withDestination(destination: string): BeaconUrls {
    return new LazyBeaconUrls(this.#publicUrl, this.#tokens, destination);
  }

  #urlOf(kind: BeaconKind): string {
    return `${this.#publicUrl}/beacon/${kind}?t=${this.#tokens[kind]}`;
  }
}
