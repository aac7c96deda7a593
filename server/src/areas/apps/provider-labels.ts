import type { AppsDeps } from "./deps.ts";

/** Labels of the providers by id, with those that only sample apps' figures have. */
export const providerLabels = async ({
  providerNames,
  samples,
}: Pick<AppsDeps, "providerNames" | "samples">): Promise<ReadonlyMap<string, string>> =>
  new Map([...samples.providerNames, ...(await providerNames())]);
