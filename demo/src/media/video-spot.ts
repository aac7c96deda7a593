import type { Subject } from "../creatives/subjects.data.ts";
import { codePicture, pictureParameters, sequenceParameters } from "./h264.ts";
import type { Picture } from "./h264.ts";
import { mp4File } from "./mp4.ts";

/** Pixels of the lab's videos. */
export const VIDEO_SIZE = { width: 320, height: 180 } as const;

const PER_SECOND = 2;
const COLUMNS = VIDEO_SIZE.width / 16;
const ROWS = Math.ceil(VIDEO_SIZE.height / 16);
const DISC_RADIUS = 22;
const BAR_LINES = 10;

/** An MP4 file in the subject's colours: a disc wanders over a gradient while a bar shows the time. */
export function videoSpot(subject: Subject, seconds: number): Buffer {
  const frames = seconds * PER_SECOND;
  const scene = sceneOf(subject);
  const background = drawBackground(scene);
  let previous: Picture | undefined;
  let first: Picture | undefined;
  const samples: Buffer[] = [];
  for (let frame = 0; frame < frames; frame++) {
    const picture = drawPicture(scene, background, (frame + 1) / frames);
    samples.push(codePicture(picture, previous, frame));
    previous = picture;
    first ??= picture;
  }
  if (first === undefined) throw new RangeError("a video has at least one picture");
  return mp4File({
    ...VIDEO_SIZE,
    sequence: sequenceParameters(first, ROWS * 16 - VIDEO_SIZE.height),
    picture: pictureParameters(),
    samples,
    samplesPerSecond: PER_SECOND,
  });
}

type Colour = readonly [number, number, number];
interface Scene {
  from: Colour;
  to: Colour;
  accent: Colour;
}

const sceneOf = ({ colours: [from, to, accent] }: Subject): Scene => ({
  from: yCbCr(from),
  to: yCbCr(to),
  accent: yCbCr(accent),
});

/** The gradient alone, drawn once: most macroblocks of most pictures are these. */
function drawBackground({ from, to }: Scene): Picture {
  return assemble((left, top) =>
    macroblock(left, top, (x, y) => {
      const share = Math.min(1, (x / VIDEO_SIZE.width + y / VIDEO_SIZE.height) / 2);
      return [mix(from[0], to[0], share), mix(from[1], to[1], share), mix(from[2], to[2], share)];
    }),
  );
}

function drawPicture({ accent }: Scene, background: Picture, progress: number): Picture {
  const turn = progress * 4 * Math.PI;
  const disc = {
    x: VIDEO_SIZE.width / 2 + 90 * Math.sin(turn / 2),
    y: VIDEO_SIZE.height / 2 - 6 + 40 * Math.sin(turn),
  };
  const inAccent = (x: number, y: number) =>
    Math.hypot(x - disc.x, y - disc.y) < DISC_RADIUS ||
    (y >= VIDEO_SIZE.height - BAR_LINES && x < VIDEO_SIZE.width * progress);
  return assemble((left, top, place) => {
    const still = background.macroblocks[place] ?? new Uint8Array(384);
    const touched =
      top + 16 > VIDEO_SIZE.height - BAR_LINES || Math.hypot(left + 8 - disc.x, top + 8 - disc.y) < DISC_RADIUS + 12;
    return touched ? painted(still, left, top, accent, inAccent) : still;
  });
}

/** A macroblock with the accent's colour over it where `inAccent` says so. */
function painted(
  still: Uint8Array,
  left: number,
  top: number,
  accent: Colour,
  inAccent: (x: number, y: number) => boolean,
): Uint8Array {
  return macroblock(left, top, (x, y) => {
    if (inAccent(x, y)) return accent;
    const chroma = ((y - top) >> 1) * 8 + ((x - left) >> 1);
    return [still[(y - top) * 16 + x - left] ?? 0, still[256 + chroma] ?? 0, still[320 + chroma] ?? 0];
  });
}

function assemble(draw: (left: number, top: number, place: number) => Uint8Array): Picture {
  const macroblocks = Array.from({ length: COLUMNS * ROWS }, (_, place) =>
    draw((place % COLUMNS) * 16, Math.floor(place / COLUMNS) * 16, place),
  );
  return { columns: COLUMNS, rows: ROWS, macroblocks };
}

function macroblock(left: number, top: number, colourAt: (x: number, y: number) => Colour): Uint8Array {
  const bytes = new Uint8Array(384);
  for (let place = 0; place < 256; place++) bytes[place] = colourAt(left + (place % 16), top + (place >> 4))[0];
  for (let place = 0; place < 64; place++) {
    const [, cb, cr] = colourAt(left + (place % 8) * 2, top + (place >> 3) * 2);
    bytes[256 + place] = cb;
    bytes[320 + place] = cr;
  }
  return bytes;
}

const mix = (from: number, to: number, share: number) => Math.round(from + (to - from) * share);

/** #rrggbb in BT.601 with the narrow range that video uses. */
function yCbCr(hex: string): Colour {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  const [r, g, b] = [part(1), part(3), part(5)];
  return [
    Math.round(16 + 65.481 * r + 128.553 * g + 24.966 * b),
    Math.round(128 - 37.797 * r - 74.203 * g + 112 * b),
    Math.round(128 + 112 * r - 93.786 * g - 18.214 * b),
  ];
}
