import {
  type CampaignFormat,
  MOST_IMAGE_BYTES,
  MOST_VIDEO_BYTES,
  type UploadKind,
  type UploadedFile,
  VIDEO_TYPES,
  type VideoFacts,
} from "@millrace/contract";

const MEGABYTE = 1024 * 1024;

/** What can be uploaded, as far as the browser can tell. The server decides by the bytes. */
const RULES = {
  image: {
    types: ["image/png", "image/jpeg", "image/gif"],
    extensions: [".png", ".jpg", ".jpeg", ".gif"],
    most: MOST_IMAGE_BYTES,
    only: "only PNG, JPEG and GIF images can be uploaded",
    hint: "PNG, JPEG or GIF, up to 5 MB",
  },
  video: {
    // Browsers have several names for AVI.
    types: [...Object.values(VIDEO_TYPES), "video/avi", "video/msvideo", "video/vnd.avi"] as string[],
    extensions: [".mp4", ".mov", ".avi"],
    most: MOST_VIDEO_BYTES,
    only: "only MP4, MOV and AVI videos can be uploaded",
    hint: "MP4, MOV or AVI, up to 50 MB",
  },
} as const satisfies Record<UploadKind, object>;

export const uploadKindOf = (format: CampaignFormat): UploadKind => (format === "video" ? "video" : "image");

/** For the file picker. */
export const acceptedFiles = (kind: UploadKind): string => [...RULES[kind].types, ...RULES[kind].extensions].join(",");
export const uploadHint = (kind: UploadKind): string => RULES[kind].hint;

/** Why a chosen file cannot be uploaded; empty if it can. */
export function refusalsOf({ name, type, size }: Pick<File, "name" | "type" | "size">, kind: UploadKind): string[] {
  const {
    types,
    extensions,
    most,
    only,
  }: { types: readonly string[]; extensions: readonly string[]; most: number; only: string } = RULES[kind];
  const hasName = extensions.some((extension) => name.toLowerCase().endsWith(extension));
  const isKind = types.includes(type) || (type === "" && hasName);
  return [
    ...(isKind ? [] : [`${name}: ${only}`]),
    ...(size > most ? [`${name}: the file is larger than ${most / MEGABYTE} MB`] : []),
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

/** An uploaded file in words: its pixels, its size, and a video's length and codecs. */
export const uploadText = (file: UploadedFile): string =>
  [
    `${sizeText(file)} pixels`,
    ...(file.video ? [`${Math.round(file.video.duration_ms / 1000)} s`, file.video.codecs] : []),
    fileSizeText(file.size),
  ].join(", ");

/** Why an uploaded image does not fit a creative: a banner has exactly the size of its place. */
export function misfitOf(file: Size, format: CampaignFormat, banner: Size): string | null {
  if (format !== "banner" || (file.width === banner.width && file.height === banner.height)) return null;
  return `This image has ${sizeText(file)} pixels, and the banner ${sizeText(banner)}`;
}

/** What keeps most devices from playing a video; null if nothing does. */
export function playWarning({ plays, type, codecs }: VideoFacts): string | null {
  if (plays) return null;
  return type === VIDEO_TYPES.mp4
    ? `Most phones and browsers cannot play ${codecs}. Use H.264 video and AAC sound, which all of them play.`
    : `Only places that ask for ${type} get this video, and few do. An MP4 with H.264 video and AAC sound plays everywhere.`;
}

/** When a video can be skipped. */
export const skipText = (seconds: number): string => (seconds === 0 ? "No skip" : `After ${seconds} seconds`);
