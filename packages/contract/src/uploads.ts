import { z } from "zod";

/** The kind of an upload; the bytes decide whether it is of that kind. */
export const UPLOAD_KINDS = ["image", "video"] as const;
export type UploadKind = (typeof UPLOAD_KINDS)[number];

const MIB = 1024 * 1024;
/** The most bytes of an uploaded file. */
export const MOST_IMAGE_BYTES = 5 * MIB;
export const MOST_VIDEO_BYTES = 50 * MIB;

/** The most that a video lasts, in seconds. */
export const MOST_VIDEO_SECONDS = 180;

/** The media types of videos by the extension of their files. */
export const VIDEO_TYPES = { mp4: "video/mp4", mov: "video/quicktime", avi: "video/x-msvideo" } as const;
export type VideoExtension = keyof typeof VIDEO_TYPES;

/** An uploaded image, which stays at its address for good. */
export const UploadedImage = z.object({
  url: z.string(),
  /** In bytes. */
  size: z.int(),
  width: z.int(),
  height: z.int(),
});
export type UploadedImage = z.infer<typeof UploadedImage>;

export const VideoFacts = z.object({
  type: z.enum(Object.values(VIDEO_TYPES)),
  duration_ms: z.int(),
  /** Of picture and sound together. */
  bitrate_kbps: z.int(),
  /** As `H.264, AAC`. */
  codecs: z.string(),
  /** Browsers and phones play it: an MP4 with H.264 and AAC or MP3. */
  plays: z.boolean(),
});
export type VideoFacts = z.infer<typeof VideoFacts>;

/** An uploaded image or video. */
export const UploadedFile = UploadedImage.extend({ video: VideoFacts.nullable() });
export type UploadedFile = z.infer<typeof UploadedFile>;
