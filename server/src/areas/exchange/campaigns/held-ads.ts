interface Held {
  device: string;
  expiresAtMs: number;
}

/** A campaign's ads that were returned and may still be shown, in the order in which they expire. */
export class HeldAds {
  readonly #ads: Held[] = [];
  readonly #byDevice = new Map<string, number>();

  get size(): number {
    return this.#ads.length;
  }

  of(device: string): number {
    return this.#byDevice.get(device) ?? 0;
  }

  add(device: string, expiresAtMs: number): void {
    this.#ads.splice(this.#firstFrom(expiresAtMs), 0, { device, expiresAtMs });
    this.#byDevice.set(device, this.of(device) + 1);
  }

  /** Does nothing if there is no such ad, or no longer. */
  remove(device: string, expiresAtMs: number): void {
    for (let at = this.#firstFrom(expiresAtMs); this.#ads[at]?.expiresAtMs === expiresAtMs; at++) {
      if (this.#ads[at]?.device !== device) continue;
      this.#ads.splice(at, 1);
      this.#drop(device);
      return;
    }
  }

  expire(nowMs: number): void {
    if ((this.#ads[0]?.expiresAtMs ?? Infinity) > nowMs) return;
    for (const { device } of this.#ads.splice(0, this.#firstFrom(nowMs + 1))) this.#drop(device);
  }

  #drop(device: string): void {
    const left = this.of(device) - 1;
    if (left > 0) this.#byDevice.set(device, left);
    else this.#byDevice.delete(device);
  }

  /** The place of the first ad that expires at this moment or later. */
  #firstFrom(expiresAtMs: number): number {
    let [low, high] = [0, this.#ads.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ads[middle]?.expiresAtMs ?? 0) < expiresAtMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
