/**
 * Parses an address; null if it is not one. `URL.canParse` is not used: once it is called often, Node 20 compiles it to a version
 * that refuses letters beyond ASCII.
 */
export function urlOf(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}
