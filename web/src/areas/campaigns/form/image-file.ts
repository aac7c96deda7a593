import { type CampaignFormat, MOST_IMAGE_BYTES, type UploadedImage } from "@millrace/contract";

const TYPES = ["image/png", "image/jpeg", "image/gif"];
/** For the file picker. The server decides by the bytes. */
export const ACCEPTED_FILES = [...TYPES, ".png", ".jpg", ".jpeg", ".gif"].join(",");

const MEGABYTE = 1024 * 1024;

/** Why a chosen file cannot be uploaded; empty if it can. */
export function refusalsOf({ name, type, size }: Pick<File, "name" | "type" | "size">): string[] {
  const isImage = TYPES.includes(type) || (type === "" && /\.(png|jpe?g|gif)$/i.test(name));
  return [
    ...(isImage ? [] : [`${name}: only PNG, JPEG and GIF images can be uploaded`]),
    ...(size > MOST_IMAGE_BYTES ? [`${name}: the file is larger than ${MOST_IMAGE_BYTES / MEGABYTE} MB`] : []),
    ...(size === 0 ? [`${name}: the file is empty`] : []),
  ];
}

export interface Size {
  width: number;
  height: number;
}

export const sizeText = ({ width, height }: Size): string => `${width} × ${height}`;

/** A file's size: `22 KB`, `1.4 MB`. */
export const fileSizeText = (bytes: number): string =>
  bytes < MEGABYTE ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / MEGABYTE).toFixed(1)} MB`;

/** Why an uploaded image does not fit a creative: a banner has exactly the size of its place. */
export function misfitOf(image: UploadedImage, format: CampaignFormat, banner: Size): string | null {
  if (format === "image" || (image.width === banner.width && image.height === banner.height)) return null;
  return `This image has ${sizeText(image)} pixels, and the banner ${sizeText(banner)}`;
}
