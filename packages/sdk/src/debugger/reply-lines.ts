import type { Line } from "./dom.ts";
import type { RequestedAd } from "./page-facts.ts";
import type { DebugReply } from "./read-debug-reply.ts";

type Zone = DebugReply["zones"][number];
type Partner = DebugReply["partners"][number];

/** The zones of the settings, and those that this page asked for. */
export function zoneLines(
  debugReply: DebugReply | null,
  requests: readonly Pick<RequestedAd, "zone" | "format">[],
): Line[] {
  const known = new Map((debugReply?.zones ?? []).map((zone) => [zone.zone, zone]));
  const names = new Set([...requests.map(({ zone }) => zone), ...known.keys()]);
  return [...names].map((name) => {
    const formats = new Set(requests.filter(({ zone }) => zone === name).map(({ format }) => format));
    return { name, ...zoneState(debugReply !== null, known.get(name), formats) };
  });
}

function zoneState(hasReply: boolean, zone: Zone | undefined, formats: ReadonlySet<string>): Omit<Line, "name"> {
  const formatList = [...formats].join(", ");
  if (!zone) {
    return hasReply
      ? { state: "note", text: `Seen on this page (${formatList}). It is registered at its first counted impression.` }
      : { state: "unknown", text: `Seen on this page (${formatList}). Enter a token to see its settings.` };
  }
  const about = `${zone.name}, ${zone.format}`;
  if (formats.size === 0) return { state: "note", text: `${about}; not asked for on this page yet.` };
  return formats.has(zone.format)
    ? { state: "good", text: `${about}; seen on this page.` }
    : { state: "bad", text: `${about}, but this page asks for ${formatList}.` };
}

/** How ready a partner is for the app; those without keys are many, and come apart. */
export function partnerLines({ partners }: DebugReply): { withKeys: Line[]; withoutKeys: Line[] } {
  const [withKeys, withoutKeys]: [Line[], Line[]] = [[], []];
  for (const partner of partners) {
    const line = { name: partner.name, ...partnerState(partner) };
    (partner.has_banner_keys || partner.has_video_keys || !partner.is_on ? withKeys : withoutKeys).push(line);
  }
  return { withKeys, withoutKeys };
}

function partnerState({ is_on, is_paused, has_banner_keys, has_video_keys }: Partner): Omit<Line, "name"> {
  if (!is_on) return { state: "note", text: "Switched off for this app." };
  if (!has_banner_keys && !has_video_keys) return { state: "note", text: "No keys are set, so it is not asked." };
  if (is_paused) return { state: "bad", text: "Paused for a while, because it keeps failing." };
  const kinds = [has_banner_keys && "banners", has_video_keys && "video"].filter(Boolean);
  return { state: "good", text: `On, with keys for ${kinds.join(" and ")}.` };
}

/** The adapters that line items need, and those that the app has registered. */
export function adapterLines(debugReply: DebugReply, registered: readonly string[]): Line[] {
  const needed = new Map<string, string[]>();
  for (const { adapter, line_item } of debugReply.adapters)
    needed.set(adapter, [...(needed.get(adapter) ?? []), line_item]);
  return [
    ...[...needed].map(([name, items]): Line => {
      const of = `the line item${items.length > 1 ? "s" : ""} ${items.join(", ")}`;
      return registered.includes(name)
        ? { name, state: "good", text: `Registered, for ${of}.` }
        : { name, state: "bad", text: `Not registered in this app, but needed by ${of}.` };
    }),
    ...registered
      .filter((name) => !needed.has(name))
      .map((name): Line => ({ name, state: "note", text: "Registered, but no line item names it." })),
  ];
}
