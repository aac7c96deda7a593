/** A random number stream that is reproducible on every machine. Not for secrets. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [from, to]. */
  integer(from: number, to: number): number;
  /** Standard normal (Box and Muller). */
  normal(): number;
  /** Log-normal with this median; `sigma` is the standard deviation of the logarithm. */
  logNormal(median: number, sigma: number): number;
  chance(share: number): boolean;
  /** One of the items, uniformly. */
  pick<T>(items: readonly T[]): T;
  /** An index of `weights`, with a probability proportional to its weight. */
  weighted(weights: readonly number[]): number;
  /** A UUID of version 4. */
  uuid(): string;
}

/** The stream that `parts` identify, such as `seededRandom(seed, "lab-steady", request.id)`. */
export function seededRandom(...parts: (string | number)[]): Random {
  let [a, b, c, d] = fourWords(parts.join("\u0000"));

  // sfc32: small, fast, and passes the usual test batteries.
  const word = (): number => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round++) word();

  const next = () => word() / 0x1_0000_0000;
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const weighted = (weights: readonly number[]): number => {
    let left = next() * weights.reduce((sum, weight) => sum + weight, 0);
    for (const [index, weight] of weights.entries()) {
      left -= weight;
      if (left < 0) return index;
    }
    return weights.length - 1;
  };
  return {
    next,
    normal,
    weighted,
    integer: (from, to) => from + Math.floor(next() * (to - from + 1)),
    logNormal: (median, sigma) => median * Math.exp(sigma * normal()),
    chance: (share) => next() < share,
    pick: <T>(items: readonly T[]): T => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new RangeError("nothing to pick from");
      return item;
    },
    uuid: () => {
      const hex = [word(), word(), word(), word()].map((part) => part.toString(16).padStart(8, "0")).join("");
      const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) & 3] ?? "8";
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}

/** cyrb128: spreads a text over four 32-bit words. */
function fourWords(text: string): [number, number, number, number] {
  let h1 = 1779033703;
  let h2 = 3144134277;
  let h3 = 1013904242;
  let h4 = 2773480762;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    h1 = h2 ^ Math.imul(h1 ^ code, 597399067);
    h2 = h3 ^ Math.imul(h2 ^ code, 2869860233);
    h3 = h4 ^ Math.imul(h3 ^ code, 951274213);
    h4 = h1 ^ Math.imul(h4 ^ code, 2716044179);
  }
  h1 = Math.imul(h3 ^ (h1 >>> 18), 597399067);
  h2 = Math.imul(h4 ^ (h2 >>> 22), 2869860233);
  h3 = Math.imul(h1 ^ (h3 >>> 17), 951274213);
  h4 = Math.imul(h2 ^ (h4 >>> 19), 2716044179);
  return [h1 ^ h2 ^ h3 ^ h4, h2 ^ h1, h3 ^ h1, h4 ^ h1];
}
