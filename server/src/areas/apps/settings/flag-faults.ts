import { type AppSettings, mayHaveFlag, type Platform, TEXTS } from "@millrace/contract";

type AppFlags = AppSettings["flags"];

const REFUSALS: Partial<Record<keyof AppFlags, string>> = {
  kids: "Only Android and iOS apps can be for children",
  muted: "Only Android and iOS apps can be muted",
  is_gaming: "Only Android apps have this flag",
};

/** Errors in an app's flags: those that its platform does not have, and those that exclude each other. */
export function flagFaults(platform: Platform, flags: Partial<AppFlags>): Partial<Record<keyof AppFlags, string>> {
  const faults: Partial<Record<keyof AppFlags, string>> = {};
  for (const [flag, refusal] of Object.entries(REFUSALS) as [keyof AppFlags, string][]) {
    if (flags[flag] === true && !mayHaveFlag(flag, platform)) faults[flag] = refusal;
  }
  if (flags.kids === true && flags.adult === true) faults.adult = TEXTS.kidsAndAdult;
  return faults;
}
