import { BANNER_SIZES, type CampaignFields, type CreativeFields, type UploadedImage } from "@millrace/contract";

/**
 * A message for each field of a campaign's creatives that breaks a rule, by its path. `images` has the account's own
 * uploads by their address.
 */
export function creativeFaults(
  { campaign_format, creatives }: Pick<CampaignFields, "campaign_format" | "creatives">,
  images: ReadonlyMap<string, Pick<UploadedImage, "width" | "height">>,
): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const [index, creative] of creatives.entries()) {
    if (creative.format !== campaign_format) faults[`creatives.${index}.format`] = OTHER_FORMAT;
    const fault = imageFault(creative, images.get(creative.image_url));
    if (fault !== null) faults[`creatives.${index}.image_url`] = fault;
  }
  return faults;
}

const OTHER_FORMAT = "All creatives must have the campaign's format";
const SIZES = BANNER_SIZES.map(({ width, height }) => `${width}×${height}`).join(", ");

function imageFault(
  { format }: Pick<CreativeFields, "format">,
  image: Pick<UploadedImage, "width" | "height"> | undefined,
): string | null {
  // Another account's image is as good as none.
  if (!image) return "Upload the image again";
  const isBanner = BANNER_SIZES.some(({ width, height }) => width === image.width && height === image.height);
  return format === "banner" && !isBanner
    ? `This image has ${image.width}×${image.height} pixels. A banner has one of these sizes: ${SIZES}`
    : null;
}
