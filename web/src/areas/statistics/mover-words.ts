import type { Mover, MoverGroup } from "@millrace/contract";
import { formatChange, formatMoney, formatRate } from "@millrace/units";

/** What happened to a mover in words that follow its name: `: 12.3% more requests`. */
export function moverWords({ before, after, main }: Mover, by: MoverGroup): string {
  if (before.revenue === 0 && before.requests === 0) return " is new";
  if (before.revenue === 0) return " earned nothing before";
  if (after.revenue === 0) return " earns nothing any more";
  if (main === "requests") {
    const words = inWords(formatChange(after.requests, before.requests), "more", "fewer");
    if (words !== null) return `: ${words} requests`;
  }
  if (main === "ecpm") {
    const words = inWords(formatChange(after.ecpm, before.ecpm), "more", "less");
    if (by === "provider" && words !== null) return `: ${words} per impression`;
    return `: eCPM ${formatMoney(after.ecpm)}, was ${formatMoney(before.ecpm)}`;
  }
  if (main === "fillrate") return `: fill rate ${formatRate(after.fillrate)}, was ${formatRate(before.fillrate)}`;
  return " earned as much as before";
}

/** `+12.3%` as `12.3% more`, `−4.0%` as `4.0% less`; null without a change. */
function inWords(change: string | null, up: string, down: string): string | null {
  if (change === null || !/^[+−]/.test(change)) return null;
  return `${change.slice(1)} ${change.startsWith("+") ? up : down}`;
}
