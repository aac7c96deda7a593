import type { lookup as systemLookup, LookupAddress, LookupOptions } from "node:dns";

type Done = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;
/** The `lookup` option of `net.connect`. */
export type CachedLookup = (host: string, options: LookupOptions, done: Done) => void;

/** Names that differ per request would fill the memory. */
const MOST_KNOWN = 10_000;

interface Entry {
  addresses: LookupAddress[];
  freshUntil: number;
}

/**
 * A cache of name look-ups, shared by all sockets: the system's resolver uses the same few threads as file writes, and
 * 40 partners must not queue there.
 */
export function cachedLookup(keepMs: number, resolve: typeof systemLookup): CachedLookup {
  const known = new Map<string, Entry>();
  const running = new Map<string, ((error: NodeJS.ErrnoException | null) => void)[]>();

  const refresh = (host: string, then: (error: NodeJS.ErrnoException | null) => void) => {
    const others = running.get(host);
    if (others) {
      others.push(then);
      return;
    }
    const waiting = [then];
    running.set(host, waiting);
    resolve(host, { all: true }, (error, addresses) => {
      running.delete(host);
      if (known.size >= MOST_KNOWN) known.clear();
      if (!error) known.set(host, { addresses, freshUntil: performance.now() + keepMs });
      for (const each of waiting) each(error);
    });
  };

  return (host, options, done) => {
    const answer = (error: NodeJS.ErrnoException | null) => {
      const entry = known.get(host);
      // An address that worked before is a better guess than none.
      if (!entry) return done(error ?? new Error(`${host} has no address`), []);
      const addresses = entry.addresses.filter(({ family }) => !options.family || family === options.family);
      const first = addresses[0];
      if (!first) return done(new Error(`${host} has no address of that family`), []);
      if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    };
    const entry = known.get(host);
    if (entry && performance.now() < entry.freshUntil) answer(null);
    else refresh(host, answer);
  };
}
