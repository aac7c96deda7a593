import type { InhouseApp } from "@millrace/contract";
import { formatMoneyExact } from "@millrace/units";
import { amountOf } from "../form/draft.ts";
import type { InhouseDraft } from "./inhouse-draft.ts";
import { namesText } from "./names-text.ts";

interface Words {
  about: string;
  text: string;
  /** Something is still to be chosen. */
  open: boolean;
}

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
    {
      about: "Image",
      text:
        images === 0
          ? "Upload at least one"
          : images === 2
            ? "The one that fits the screen"
            : "The same on landscape and portrait screens",
      open: images === 0,
    },
    { about: "Price", text: "Free of charge. It earns and costs nothing.", open: false },
  ];
}
