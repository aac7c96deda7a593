const UNITS = [
  { ms: 86_400_000, one: "day" },
  { ms: 3_600_000, one: "hour" },
  { ms: 60_000, one: "minute" },
] as const;

/** How long ago an instant was, in its largest whole unit: `3 hours`. */
export function durationSince(iso: string, nowMs: number): string {
  const ms = nowMs - Date.parse(iso);
  const unit = UNITS.find((unit) => ms >= unit.ms);
  if (!unit) return "less than a minute";
  const count = Math.floor(ms / unit.ms);
  return `${count} ${unit.one}${count === 1 ? "" : "s"}`;
}
