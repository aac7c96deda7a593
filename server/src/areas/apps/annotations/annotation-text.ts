import { type AnnotationKind, FORMATS, FORMAT_LABELS } from "@millrace/contract";
import { formatMoneyExact } from "@millrace/units";
import { z } from "zod";

/** The acts that charts tell of, and their kinds. */
export const ANNOTATED = {
  app_floors_set: "floor",
  app_automatic_floors_switched: "floor",
  app_blocks_set: "block",
  partner_keys_set: "keys",
  partner_keys_removed: "keys",
  app_partner_switched: "switch",
  app_flags_set: "flag",
  app_learning_set: "flag",
  app_muted: "flag",
} as const satisfies Record<string, AnnotationKind>;
export type AnnotatedAction = keyof typeof ANNOTATED;

export const isAnnotated = (action: string): action is AnnotatedAction => Object.hasOwn(ANNOTATED, action);

/** For those who may not open the settings. */
export const GENERAL_TEXTS = {
  floor: "Floors changed",
  block: "Blocks changed",
  keys: "A partner's keys changed",
  switch: "A partner switched on or off",
  flag: "Flags changed",
} as const satisfies Record<Exclude<AnnotationKind, "sdk">, string>;

const Floor = z.object({ country: z.string().nullable(), format: z.enum(FORMATS).nullable(), floor: z.int() });
type Floor = z.output<typeof Floor>;
const changeOf = <S extends z.ZodType>(item: S) =>
  z.object({ added: z.array(item), added_count: z.int(), removed: z.array(item), removed_count: z.int() });
const Floors = changeOf(Floor);
const Names = changeOf(z.string());
const Blocks = z.object({ categories: Names.optional(), domains: Names.optional() });
const Keys = z.object({ partner: z.string(), format: z.enum(FORMATS).optional().catch(undefined) });
const AutomaticFloors = z.object({ enabled: z.boolean() });
const Switch = z.object({ partner: z.string(), enabled: z.boolean() });
const Learning = z.object({ skip_partners: z.boolean().optional(), exploration: z.int().optional() });
const Flags = z.partialRecord(z.enum(["kids", "adult", "is_gaming", "only_image", "muted"]), z.boolean());

const FLAG_WORDS = {
  kids: "For children",
  adult: "For adults only",
  is_gaming: "Game",
  only_image: "Image ads only",
  muted: "Muted ads",
} as const;

/**
 * An act's details in a few words. Details of an older release that cannot be read get the general words, so that a tick never
 * disappears.
 */
export function annotationText(action: AnnotatedAction, details: unknown, partnerName: (id: string) => string): string {
  const general = GENERAL_TEXTS[ANNOTATED[action]];
  const words = <S extends z.ZodType>(shape: S, say: (found: z.output<S>) => string): string => {
    const read = shape.safeParse(details);
    return read.success ? say(read.data) : general;
  };
  switch (action) {
    case "app_floors_set":
      return words(Floors, floorWords);
    case "app_automatic_floors_switched":
      return words(AutomaticFloors, ({ enabled }) => `Automatic floors ${onOff(enabled)}`);
    case "app_blocks_set":
      return words(Blocks, (blocks) => blockWords(blocks) || general);
    case "partner_keys_set":
    case "partner_keys_removed": {
      const verb = action === "partner_keys_set" ? "set" : "removed";
      return words(Keys, ({ partner, format }) =>
        [partnerName(partner), format && FORMAT_LABELS[format], "keys", verb].filter(Boolean).join(" "),
      );
    }
    case "app_partner_switched":
      return words(Switch, ({ partner, enabled }) => `${partnerName(partner)} ${onOff(enabled)}`);
    case "app_learning_set":
      return words(Learning, (learning) => learningWords(learning) || general);
    case "app_flags_set":
    case "app_muted":
      return words(Flags, (flags) => flagWords(flags) || general);
  }
}

/** The parts of the statistics that are looked at; null for all. */
export interface Narrowed {
  countries: readonly string[] | null;
  formats: readonly string[] | null;
  providers: readonly string[] | null;
}

/** Whether an act may have changed these parts of the statistics: a floor of another country has not. */
export function concerns(action: AnnotatedAction, details: unknown, narrowed: Narrowed): boolean {
  const isIn = (chosen: readonly string[] | null, value: string | null | undefined) =>
    chosen === null || value === null || value === undefined || chosen.includes(value);
  const { countries, formats, providers } = narrowed;
  switch (action) {
    case "app_floors_set": {
      const read = Floors.safeParse(details);
      if (!read.success) return true;
      const { added, added_count: more, removed, removed_count: less } = read.data;
      // The log lists the first of many entries only.
      if (added.length < more || removed.length < less) return true;
      return [...added, ...removed].some(({ country, format }) => isIn(countries, country) && isIn(formats, format));
    }
    case "partner_keys_set":
    case "partner_keys_removed":
    case "app_partner_switched": {
      const read = z.object({ partner: z.string() }).safeParse(details);
      return !read.success || isIn(providers, read.data.partner);
    }
    case "app_automatic_floors_switched":
    case "app_blocks_set":
    case "app_flags_set":
    case "app_learning_set":
    case "app_muted":
      return true;
  }
}

const onOff = (on: boolean) => (on ? "on" : "off");

/** `Floor DE Banner $2.31`, `Floor DE removed`, `3 floors changed`. */
function floorWords({ added, added_count: more, removed, removed_count: less }: z.output<typeof Floors>): string {
  const place = ({ country, format }: Floor) =>
    ["Floor", country, format && FORMAT_LABELS[format]].filter(Boolean).join(" ");
  const [set] = added;
  if (more === 1 && set) {
    // A changed price is logged as the old floor removed and the new one added.
    const isOnly = less === 0 || (less === 1 && removed.some((old) => place(old) === place(set)));
    if (isOnly) return `${place(set)} ${formatMoneyExact(set.floor)}`;
  }
  const [gone] = removed;
  if (more === 0 && less === 1 && gone) return `${place(gone)} removed`;
  const places = new Set([...added, ...removed].map(place));
  // The log lists the first of many entries only; then their number is known, and not which are the same.
  const isWhole = added.length === more && removed.length === less;
  return `${isWhole ? places.size : Math.max(more, less)} floors changed`;
}

/** `shop.example blocked`, `2 domains blocked, 1 category unblocked`. */
function blockWords({ categories, domains }: z.output<typeof Blocks>): string {
  const sentences = [
    ...(domains ? blockedNames(domains, ["domain", "domains"]) : []),
    ...(categories ? blockedNames(categories, ["category", "categories"]) : []),
  ];
  return sentences.join(", ");
}

function blockedNames(change: z.output<typeof Names>, [one, many]: readonly [string, string]): string[] {
  const say = (names: readonly string[], count: number, verb: string) => {
    if (count === 0) return [];
    return [`${count === 1 ? (names[0] ?? `1 ${one}`) : `${count} ${many}`} ${verb}`];
  };
  return [
    ...say(change.added, change.added_count, "blocked"),
    ...say(change.removed, change.removed_count, "unblocked"),
  ];
}

const learningWords = ({ skip_partners, exploration }: z.output<typeof Learning>): string =>
  [
    ...(skip_partners === undefined ? [] : [`Skipping of partners ${onOff(skip_partners)}`]),
    ...(exploration === undefined ? [] : [`Exploration ${exploration}%`]),
  ].join(", ");

const flagWords = (flags: z.output<typeof Flags>): string =>
  (Object.keys(FLAG_WORDS) as (keyof typeof FLAG_WORDS)[])
    .flatMap((flag) => (flags[flag] === undefined ? [] : [`${FLAG_WORDS[flag]} ${onOff(flags[flag])}`]))
    .join(", ");
