/**
 * 32 bits of FNV-1a over UTF-16 units, mixed by murmur3's finaliser, so that texts that differ only in the last letter
 * are far apart. The same on every machine. Not for secrets.
 */
export function seededHash(seed: string, text: string): number {
  let hash = fnv1a(fnv1a(0x811c9dc5, seed) ^ 0x1f, text);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function fnv1a(start: number, text: string): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/** 64 bits of an FNV-1a style hash over UTF-16 units as 16 hex digits, to distinguish markup in a trace. */
export function textHash(text: string): string {
  const low = fnv1a(0x811c9dc5, text) >>> 0;
  const high = fnv1a(0x811c9dc5 ^ text.length, text) >>> 0;
  return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}
