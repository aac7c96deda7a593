import { BANNER_SIZES, type CampaignFields, type CreativeFields, type UploadedFile } from "@millrace/contract";

type FileFacts = Pick<UploadedFile, "width" | "height"> & { video: object | null };

/**
 * A message for each field of a campaign's creatives that breaks a rule, by its path. `files` has the account's own
 * uploads by their address.
 */
export function creativeFaults(
  { campaign_format, creatives }: Pick<CampaignFields, "campaign_format" | "creatives">,
  files: ReadonlyMap<string, FileFacts>,
  countryCodes: readonly string[],
): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const [index, creative] of creatives.entries()) {
    if (creative.format !== campaign_format) faults[`creatives.${index}.format`] = OTHER_FORMAT;
    const { country } = creative;
    if (country !== "" && !countryCodes.includes(country))
      faults[`creatives.${index}.country`] = `There is no country ${country}`;
    const fault = fileFault(creative, files.get(creative.image_url));
    if (fault !== null) faults[`creatives.${index}.image_url`] = fault;
  }
  return faults;
}

const OTHER_FORMAT = "All creatives must have the campaign's format";
const SIZES = BANNER_SIZES.map(({ width, height }) => `${width}×${height}`).join(", ");

function fileFault({ format }: Pick<CreativeFields, "format">, file: FileFacts | undefined): string | null {
  // Another account's file is as good as none.
  if (!file) return format === "video" ? "Upload the video again" : "Upload the image again";
  if (format === "video") return file.video === null ? "Use a video here" : null;
  if (file.video !== null) return "Use an image here";
  const isBanner = BANNER_SIZES.some(({ width, height }) => width === file.width && height === file.height);
  return format === "banner" && !isBanner
    ? `This image has ${file.width}×${file.height} pixels. A banner has one of these sizes: ${SIZES}`
    : null;
}
