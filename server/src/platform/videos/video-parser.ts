import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import mediaInfoFactory, { type Track } from "mediainfo.js";

/** What the parser found in a file; everything is as the file claims. */
export interface ProbedVideo {
  /** The container. */
  format: string;
  /** The file ends before its content does, or goes on after it. */
  isTruncated: boolean;
  durationSeconds: number;
  video: { codec: string; profile: string; chroma: string; width: number; height: number; rotation: number } | null;
  /** The codecs of all sound tracks. */
  audio: string[];
}

/**
 * A program of its own: parses the file of its argument and writes a ProbedVideo as JSON, or null if it cannot be parsed. The
 * parser reads bytes that strangers sent, so it has limits of memory and time, and if it crashes nothing else does.
 */
async function probe(path: string): Promise<ProbedVideo | null> {
  const parser = await mediaInfoFactory({ format: "object", chunkSize: 64 * 1024 });
  const file = openSync(path, "r");
  try {
    const chunk = Buffer.alloc(64 * 1024);
    const { media } = await parser.analyzeData(fstatSync(file).size, (wanted, at) =>
      chunk.subarray(0, readSync(file, chunk, 0, Math.min(wanted, chunk.length), at)),
    );
    return probedOf(media?.track ?? []);
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

function probedOf(tracks: readonly Track[]): ProbedVideo {
  const general = tracks.find((track) => track["@type"] === "General");
  const video = tracks.find((track) => track["@type"] === "Video");
  const audio = tracks.filter((track) => track["@type"] === "Audio");
  return {
    format: `${general?.Format ?? ""} ${general?.Format_Profile ?? ""}`.trim(),
    isTruncated: general?.extra?.["IsTruncated"] === "Yes",
    durationSeconds: general?.Duration ?? 0,
    video: video
      ? {
          codec: video.Format ?? "",
          profile: video.Format_Profile ?? "",
          chroma: `${video.ChromaSubsampling ?? ""} ${video.BitDepth ?? 8}`,
          width: video.Width ?? 0,
          height: video.Height ?? 0,
          rotation: Math.round(Number(video.Rotation ?? 0)),
        }
      : null,
    audio: audio.map((track) => track.Format ?? ""),
  };
}

process.stdout.write(JSON.stringify(await probe(process.argv[2] ?? "")));
