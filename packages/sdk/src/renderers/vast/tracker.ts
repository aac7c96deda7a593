/** Calls tracking addresses. What an address names twice, or the SDK reports itself, is called once. */
export interface Tracker {
  /** Calls the addresses of an event that happens once; later calls of the same name do nothing. */
  once(name: string, urls: readonly string[] | undefined): void;
  /** Calls the addresses of an event that may happen again, such as a pause. */
  fire(urls: readonly string[] | undefined): void;
  /** True once an event of this name was tracked. */
  isDone(name: string): boolean;
  /** Calls Error addresses with their code, once. */
  error(code: number, urls: readonly string[]): void;
  /** Calls addresses whose `[REASON]` is this code. */
  reason(code: number, urls: readonly string[]): void;
}

export interface TrackerState {
  /** The playhead in seconds. */
  playhead(): number;
  asset(): string;
}

/** `own` are addresses that the SDK calls itself, from its queue. */
export function tracker(own: readonly string[], state: TrackerState, send = sendQuietly): Tracker {
  const reported = new Set(own);
  const done = new Set<string>();

  function call(urls: readonly string[], code: number | null): void {
    for (const url of new Set(urls)) if (!reported.has(url)) send(fillMacros(url, state, code));
  }

  const once = (name: string, urls: readonly string[] = [], code: number | null = null) => {
    if (done.has(name)) return;
    done.add(name);
    call(urls, code);
  };
  return {
    once: (name, urls) => once(name, urls),
    fire: (urls = []) => call(urls, null),
    isDone: (name) => done.has(name),
    error: (code, urls) => once("error", urls, code),
    reason: (code, urls) => call(urls, code),
  };
}

/** An address with the macros of VAST 4.2, section 6; unknown ones become -1, as it demands. */
export function fillMacros(url: string, { playhead, asset }: TrackerState, code: number | null = null): string {
  const known = new Map<string, () => string>([
    ["ERRORCODE", () => String(code ?? -1)],
    ["CACHEBUSTING", () => String(10_000_000 + Math.floor(Math.random() * 89_999_999))],
    ["TIMESTAMP", () => new Date().toISOString()],
    ["ADPLAYHEAD", () => clockOf(playhead())],
    ["MEDIAPLAYHEAD", () => clockOf(playhead())],
    ["CONTENTPLAYHEAD", () => clockOf(playhead())],
    ["ASSETURI", asset],
    ["ADTYPE", () => "video"],
    ["ADCOUNT", () => "1"],
    ["VASTVERSIONS", () => "2,3,5,6,7,8,11,12,13,14"],
    ["APIFRAMEWORKS", () => "7"],
    ["REASON", () => String(code ?? -1)],
  ]);
  return url.replace(/\[([A-Z]+)\]/g, (_, name: string) => encodeURIComponent(known.get(name)?.() ?? "-1"));
}

function clockOf(seconds: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const ms = String(Math.floor((seconds % 1) * 1000)).padStart(3, "0");
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.${ms}`;
}

function sendQuietly(url: string): void {
  fetch(url, { mode: "no-cors", credentials: "omit", keepalive: true, cache: "no-store" }).catch(() => {});
}
