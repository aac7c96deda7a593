/**
 * An address, parsed; null if it is none. `URL.canParse` is not asked: once it is called often, Node 20 compiles it to one that refuses
 * hosts with letters beyond ASCII.
 */
export function urlOf(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}
