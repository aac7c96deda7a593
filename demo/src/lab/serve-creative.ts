import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { escapeHtml } from "@millrace/openrtb";
import { pictureSvg } from "../creatives/banner.ts";
import { SUBJECTS } from "../creatives/subjects.data.ts";
import type { Subject } from "../creatives/subjects.data.ts";

const subjects = new Map(SUBJECTS.map((subject) => [subject.slug, subject]));
const files = new Map<string, Buffer>();
/** Relative to the source, or to the bundle in `server/dist`. */
export const MEDIA = new URL(import.meta.url.endsWith(".ts") ? "../../media/" : "../../demo/media/", import.meta.url);
/** The size of the videos in pixels. */
export const VIDEO_SIZE = { width: 320, height: 180 } as const;
const MAX_PIXELS = 4000;

/** Serves `/media/<subject>.mp4`, `.mp3`, `-<w>x<h>.svg` and `/landing/<subject>`. False if the address is none of these. */
export function serveCreative(
  room: string | undefined,
  name: string,
  message: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (room === "landing") {
    const subject = subjects.get(name);
    if (subject !== undefined) sendFile(message, response, "text/html; charset=utf-8", Buffer.from(landing(subject)));
    return subject !== undefined;
  }
  if (room !== "media") return false;
  const [, slug = "", , width, height, kind] = /^([a-z-]+?)(-(\d+)x(\d+))?\.(mp4|mp3|svg)$/.exec(name) ?? [];
  const subject = subjects.get(slug);
  if (subject === undefined) return false;
  if (kind === "svg") {
    const side = (text: string | undefined) => Math.min(MAX_PIXELS, Math.max(1, Number(text ?? 100)));
    sendFile(message, response, "image/svg+xml", Buffer.from(pictureSvg(subject, side(width), side(height))));
  } else if (kind === "mp4") {
    sendFile(message, response, "video/mp4", spot(`${subject.slug}.mp4`));
  } else {
    sendFile(message, response, "audio/mpeg", spot("spot.mp3"));
  }
  return true;
}

/** Reads a file on first use and caches it: a dozen files of about ten kilobytes. */
function spot(name: string): Buffer {
  const file = files.get(name) ?? readFileSync(new URL(name, MEDIA));
  files.set(name, file);
  return file;
}

/** Supports range requests, without which Safari plays no media. */
function sendFile(message: IncomingMessage, response: ServerResponse, type: string, file: Buffer): void {
  const headers = {
    "content-type": type,
    "accept-ranges": "bytes",
    "access-control-allow-origin": "*",
    "cache-control": "public, max-age=3600",
    "x-content-type-options": "nosniff",
  };
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(message.headers.range ?? "") ?? [];
  if (from === undefined) {
    response.writeHead(200, { ...headers, "content-length": file.length }).end(message.method === "HEAD" ? "" : file);
    return;
  }
  const start = Number(from);
  const end = Math.min(to === "" || to === undefined ? file.length - 1 : Number(to), file.length - 1);
  if (start > end) {
    response.writeHead(416, { ...headers, "content-range": `bytes */${file.length}` }).end();
    return;
  }
  const part = file.subarray(start, end + 1);
  response
    .writeHead(206, {
      ...headers,
      "content-length": part.length,
      "content-range": `bytes ${start}-${end}/${file.length}`,
    })
    .end(part);
}

/** The landing page of a demo ad. */
const landing = (
  subject: Subject,
) => `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(subject.name)}</title><style>body{margin:0;min-height:100vh;display:grid;place-content:center;text-align:center;color:#fff;
font-family:system-ui,sans-serif;background:linear-gradient(135deg,${subject.colours[0]},${subject.colours[1]})}svg{width:140px;margin:auto}</style>
<svg viewBox="0 0 48 48" aria-hidden="true">${subject.icon}</svg><h1>${escapeHtml(subject.name)}</h1><p>${escapeHtml(subject.line)}</p>
<p>This advertiser is fictional. You clicked on a demo ad.</p></html>`;
