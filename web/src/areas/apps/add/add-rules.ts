import {
  PLATFORMS,
  PLATFORMS_WITHOUT_BUNDLE,
  PLATFORM_LABELS,
  type Platform,
  TEXTS,
  mayHaveFlag,
} from "@millrace/contract";
import type { AddAppInput } from "../api.ts";

export const isPhone = (platform: Platform): boolean => mayHaveFlag("kids", platform) && mayHaveFlag("muted", platform);
export const asksGaming = (platform: Platform): boolean => mayHaveFlag("is_gaming", platform);
export const needsBundle = (platform: Platform): boolean => !PLATFORMS_WITHOUT_BUNDLE.includes(platform);

export const platformOf = (value: string | undefined): Platform =>
  PLATFORMS.find((platform) => platform === value) ?? "ios";

export const platformOptions = (platforms: readonly Platform[]) =>
  platforms.map((platform) => ({ value: platform, label: PLATFORM_LABELS[platform] }));

/** The platforms of the store that an address or id belongs to. The server decides. */
export function platformsOf(url: string): readonly Platform[] {
  const text = url.trim().toLowerCase();
  if (/apple\.com\//.test(text) || /^(id)?\d+$/.test(text)) return ["ios", "tvos"];
  if (/roku\.com\//.test(text) || /^[0-9a-f]{32}$/.test(text)) return ["roku"];
  if (/amazon\.[a-z.]+\//.test(text) || /^b0[0-9a-z]{8}$/.test(text)) return ["amazon", "firetv"];
  return ["android", "androidtv"];
}

/** Only the App Store's id differs from the bundle id. */
export const asksBundleByHand = (platform: Platform): boolean => platform === "ios" || platform === "tvos";

/** A form while it is being filled in: the platform can be any text. */
export type Filled = Partial<Omit<AddAppInput, "type" | "demo" | "platform">> & { platform?: string };
type Faults = Record<string, string | undefined>;

const flagFaults = ({ kids, adult }: Filled): Faults => ({
  adult: kids === true && adult === true ? TEXTS.kidsAndAdult : undefined,
});

const isEmpty = (text: string | undefined) => (text ?? "").trim() === "";

/** The rules of the form for apps in development. */
export function developmentFaults(form: Filled): Faults {
  const platform = platformOf(form.platform);
  if (needsBundle(platform)) {
    return { bundle_id: isEmpty(form.bundle_id) ? TEXTS.bundleIdRequired : undefined, ...flagFaults(form) };
  }
  return { name: isEmpty(form.name) ? TEXTS.appNameRequired : undefined, ...flagFaults(form) };
}

/** The rules of the form for a published app whose store cannot be reached. */
export function manualFaults(form: Filled): Faults {
  const asksBundle = asksBundleByHand(platformOf(form.platform));
  return {
    name: isEmpty(form.name) ? TEXTS.appNameRequired : undefined,
    bundle_id: asksBundle && isEmpty(form.bundle_id) ? TEXTS.bundleIdRequired : undefined,
    ...flagFaults(form),
  };
}

/** The rules of the form that picks a store's app. */
export const foundFaults = (form: Filled): Faults => ({
  item: isEmpty(form.item) ? TEXTS.required : undefined,
  ...flagFaults(form),
});

/** The request body without flags that this platform does not show, even if they were ticked for another. */
export function fitting(input: AddAppInput, platform: Platform): AddAppInput {
  const phone = isPhone(platform);
  const body: AddAppInput = {
    ...input,
    mute: phone && input.mute === true,
    kids: phone && input.kids === true,
    is_gaming: asksGaming(platform) ? (input.is_gaming ?? 0) : 0,
  };
  const unasked = input.dev === 1 ? !needsBundle(platform) : input.manual === 1 && !asksBundleByHand(platform);
  if (unasked || isEmpty(body.bundle_id)) delete body.bundle_id;
  if (isEmpty(body.name)) delete body.name;
  return body;
}
