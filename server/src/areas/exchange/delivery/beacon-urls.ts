import type { AdTokens } from "./beacon-token.ts";

/** The addresses of one ad's beacons. */
export interface BeaconUrls {
  impression: string;
  click: string;
  loss: string;
  /** What a player tells while the ad plays; the event is added to it. */
  player: string;
}

/** Tokens are base64url and a dot: they stand in an address, in HTML and in XML as they are. */
export function beaconUrls(publicUrl: string, tokens: AdTokens): BeaconUrls {
  return {
    impression: `${publicUrl}/beacon/impression?t=${tokens.impression}`,
    click: `${publicUrl}/beacon/click?t=${tokens.click}`,
    loss: `${publicUrl}/beacon/loss?t=${tokens.loss}`,
    player: `${publicUrl}/beacon/player?t=${tokens.player}`,
  };
}
