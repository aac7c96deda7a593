import { IAB_TIERS } from "./iab-categories.data.ts";

const TIERS = IAB_TIERS.trim()
  .split("\n\n")
  .map((paragraph) => {
    const [name = "", within = ""] = paragraph.split(":");
    return { name, within: within.split(";").map((inner) => inner.trim()) };
  });

/** Category names by code. Second-tier names include the first tier, since blocking that blocks all of it. */
export const CATEGORY_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  TIERS.flatMap(({ name, within }, tier) => [
    [`IAB${tier + 1}`, name] as const,
    ...within
      .filter((inner) => inner !== "")
      .map((inner, index) => [`IAB${tier + 1}-${index + 1}`, `${name}: ${inner}`] as const),
  ]),
);

export const categoryName = (code: string): string => CATEGORY_NAMES[code] ?? code;
