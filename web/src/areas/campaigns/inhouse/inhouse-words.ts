import type { InhouseApp } from "@millrace/contract";
import { formatMoneyExact } from "@millrace/units";
import type { Words } from "../form/summary-panel.tsx";
import { amountOf } from "../form/typed.ts";
import type { InhouseDraft } from "./inhouse-draft.ts";
import { namesText } from "./names-text.ts";

/** What an in-house campaign will do with these settings. */
export function inhouseWords(
  draft: InhouseDraft,
  { apps, countries }: { apps: readonly InhouseApp[]; countries: Readonly<Record<string, string>> },
): Words[] {
  const promoted = apps.find(({ uuid }) => uuid === draft.ad_app_id);
  const chosen = apps.filter(({ uuid }) => draft.app_id.includes(uuid)).map(({ name }) => name);
  const named = namesText(draft.country.map((code) => countries[code] ?? code));
  const price = draft.price.trim() === "" ? 0 : amountOf(draft.price);
  const images = [draft.image_l, draft.image_p].filter((image) => image !== null).length;
  return [
    { about: "App", text: promoted ? `Promotes ${promoted.name}` : "Choose the app to promote", open: !promoted },
    {
      about: "In",
      text: chosen.length > 0 ? namesText(chosen) : "Choose the apps that show it",
      open: chosen.length === 0,
    },
    {
      about: "When",
      text:
        price > 0
          ? `Whenever every bid is lower than ${formatMoneyExact(price)} CPM, and where nobody bought the place`
          : "Only where nobody bought the place",
      open: price < 0,
    },
    {
      about: "Where",
      text:
        draft.geo_type === "in"
          ? named || "Choose at least one country"
          : named === ""
            ? "In every country"
            : `In every country but ${named}`,
      open: draft.geo_type === "in" && named === "",
    },
    ...(draft.format === "image" ? [] : [{ about: "Video", text: videoText(draft), open: draft.video === null }]),
    { about: "Image", text: imageText(draft, images), open: images === 0 },
    { about: "Price", text: "Free of charge. It earns and costs nothing.", open: false },
  ];
}

function imageText({ format, interstitial_waterfall }: InhouseDraft, images: number): string {
  if (images === 0) return "Upload at least one";
  if (format !== "image")
    return interstitial_waterfall ? "In interstitials that nobody bought" : "Not shown beside the video";
  return images === 2 ? "The one that fits the screen" : "The same on landscape and portrait screens";
}

function videoText({ format, video, video_orientation, skip_timer }: InhouseDraft): string {
  if (video === null) return "Upload a video";
  const screens = video_orientation === "all" ? "" : `, on ${video_orientation} screens`;
  if (format === "reward") return `In rewarded places${screens}, watched to its end`;
  const skip = skip_timer === 0 ? "never skipped" : `skipped after ${skip_timer} s at the earliest`;
  return `In video and rewarded places${screens}, ${skip}`;
}
