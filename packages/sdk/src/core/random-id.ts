/** A version 4 UUID from the host's random source. Unlike crypto.randomUUID, this also works on pages without TLS. */
export function randomId(random: () => number): string {
  return "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replace(/[xy]/g, (place) => {
    const digit = Math.floor(random() * 16);
    return (place === "x" ? digit : (digit & 3) | 8).toString(16);
  });
}

/** Like Math.random, but cryptographic, because installation ids must not collide between devices. */
export function strongRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}
