import { execFile } from "node:child_process";
import { open } from "node:fs/promises";
import { promisify } from "node:util";
import { MOST_VIDEO_SECONDS, type VideoExtension, type VideoFacts, VIDEO_TYPES } from "@millrace/contract";
import { childEntry } from "../child-entry.ts";
import type { ReceivedFile } from "../files/stored-files.ts";
import { Problem } from "../http/problem.ts";
import { MOST_SIDE } from "../images/clean-image.ts";
import type { ProbedVideo } from "./video-parser.ts";

export interface Video {
  extension: VideoExtension;
  /** In pixels, as it is shown: a rotated video is turned. */
  width: number;
  height: number;
  facts: VideoFacts;
}

const ENTRY = childEntry(import.meta.url, { source: "video-parser.ts", built: "video-parser.js" });
/** Parsing takes some 0.1 seconds, and starting a process as much. */
const MOST_MS = 15_000;
/** Of the parser, whose memory is apart from the program's. A page has 64 KiB. */
const MEMORY = ["--wasm-max-mem-pages=2048", "--max-old-space-size=64"];

/**
 * Measures a video and decides its type by its bytes, in a process of its own that has limits of memory and time. The file
 * stays as it is. Problem `unprocessable` with the reason for anything but a whole MP4, MOV or AVI within the limits.
 */
export async function probeVideo(file: Pick<ReceivedFile, "path" | "bytes">, mostMs = MOST_MS): Promise<Video> {
  if (!(await isContainer(file.path))) throw refused(TYPES);
  const probed = await probe(file.path, mostMs);
  const extension = extensionOf(probed.format);
  if (!extension) throw refused(TYPES);
  const { video, audio, durationSeconds, isTruncated } = probed;
  if (isTruncated) throw refused(DAMAGED);
  if (!video) throw refused("This file has no video in it");
  const isTurned = video.rotation % 180 !== 0;
  const [width, height] = isTurned ? [video.height, video.width] : [video.width, video.height];
  if (!(width > 0 && height > 0 && durationSeconds > 0)) throw refused(DAMAGED);
  if (width > MOST_SIDE || height > MOST_SIDE)
    throw refused(`Use a video of at most ${MOST_SIDE} × ${MOST_SIDE} pixels`);
  if (durationSeconds < 1) throw refused("Use a video of at least 1 second");
  if (durationSeconds > MOST_VIDEO_SECONDS) throw refused(`Use a video of at most ${MOST_VIDEO_SECONDS / 60} minutes`);
  return {
    extension,
    width,
    height,
    facts: {
      type: VIDEO_TYPES[extension],
      duration_ms: Math.round(durationSeconds * 1000),
      bitrate_kbps: Math.max(1, Math.round((file.bytes * 8) / durationSeconds / 1000)),
      codecs: [...new Set([video.codec, ...audio].map(codecName))].join(", "),
      plays: extension === "mp4" && playsVideo(video) && audio.every((codec) => PLAYED_SOUND.has(codec)),
    },
  };
}

async function probe(path: string, mostMs: number): Promise<ProbedVideo> {
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...ENTRY.execArgv, ...MEMORY, ENTRY.file, path],
      // None of the platform's secrets.
      { timeout: mostMs, killSignal: "SIGKILL", maxBuffer: MIB, env: { PATH: process.env["PATH"] } },
    );
    const probed = JSON.parse(stdout) as ProbedVideo | null;
    if (probed === null) throw refused(DAMAGED);
    return probed;
  } catch (error) {
    if (error instanceof Error && "killed" in error) {
      if (error.killed === true) throw refused("This video takes too long to read. Use a simpler one");
      // It ran out of memory. Any other failure is not the file's.
      if ("signal" in error && error.signal !== null) throw refused(DAMAGED);
    }
    throw error;
  }
}

/** Whether the first bytes are of a container that is parsed at all: the parser knows hundreds more. */
async function isContainer(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0);
    const start = buffer.toString("latin1", 0, bytesRead);
    // ISO base media files begin with `ftyp`; old QuickTime files with any of their boxes.
    return /^.{4}(ftyp|moov|mdat|wide|free|skip)/s.test(start) || /^RIFF.{4}AVI /s.test(start);
  } finally {
    await file.close();
  }
}

function extensionOf(format: string): VideoExtension | undefined {
  if (format.startsWith("AVI")) return "avi";
  if (format === "MPEG-4 QuickTime" || format === "QuickTime") return "mov";
  return format.startsWith("MPEG-4") ? "mp4" : undefined;
}

/** What every browser and phone decodes, mostly in hardware: H.264 in the usual colours. */
const playsVideo = ({ codec, profile, chroma }: NonNullable<ProbedVideo["video"]>): boolean =>
  codec === "AVC" && /^(Constrained Baseline|Baseline|Main|High)/.test(profile) && chroma === "4:2:0 8";
const PLAYED_SOUND = new Set(["AAC", "MPEG Audio"]);

const NAMES = new Map([
  ["AVC", "H.264"],
  ["HEVC", "H.265"],
  ["MPEG Audio", "MP3"],
]);
const codecName = (codec: string): string => (NAMES.get(codec) ?? codec) || "an unknown codec";

const MIB = 1024 * 1024;
const TYPES = "Use a video in MP4, MOV or AVI format";
const DAMAGED = "This video is damaged or incomplete";
const refused = (sentence: string) => new Problem("unprocessable", sentence);
