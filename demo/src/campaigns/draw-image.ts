/** The gradient of the sky, and the colour of the sun. */
export type Colours = readonly [above: string, below: string, sun: string];

type Rgb = readonly [number, number, number];

const rgbOf = (hex: string): Rgb => [channel(hex, 1), channel(hex, 3), channel(hex, 5)];
const channel = (hex: string, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
const mix = (from: Rgb, to: Rgb, share: number): Rgb => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
];
/** How much of a pixel a shape covers, by the pixel's distance from the shape: edges are soft for one pixel. */
const covered = (distance: number): number => Math.min(1, Math.max(0, 0.5 - distance));

const WAVES = [
  { level: 0.62, swell: 0.05, length: 0.9, darkness: 0.25 },
  { level: 0.74, swell: 0.06, length: 0.6, darkness: 0.5 },
  { level: 0.87, swell: 0.04, length: 0.4, darkness: 0.75 },
];
const DARK: Rgb = [10, 18, 40];

/** A sun over three waves, as red, green and blue bytes: a picture of any size, always the same for a seed. */
export function drawImage(
  { width, height }: { width: number; height: number },
  colours: Colours,
  seed: number,
): Uint8Array {
  const [above, below, sun] = [rgbOf(colours[0]), rgbOf(colours[1]), rgbOf(colours[2])];
  const radius = Math.min(width, height) * 0.28;
  const centre = { x: width * (0.3 + 0.4 * ((seed % 5) / 4)), y: height * 0.42 };
  const waves = WAVES.map(({ level, swell, length, darkness }, index) => ({
    colour: mix(above, DARK, darkness),
    /** The height of its crest in each column. */
    crest: Float64Array.from({ length: width }, (_, x) => {
      const phase = (2 * Math.PI * x) / (Math.max(width, height) * length) + seed + index * 2;
      return height * (level + swell * Math.sin(phase));
    }),
  }));
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const sky = mix(above, below, y / height);
    for (let x = 0; x < width; x++) {
      let colour = sky;
      const light = covered(Math.hypot(x - centre.x, y - centre.y) - radius);
      if (light > 0) colour = mix(colour, sun, light);
      for (const wave of waves) {
        const shade = covered((wave.crest[x] ?? 0) - y);
        if (shade > 0) colour = mix(colour, wave.colour, shade);
      }
      pixels.set(colour, (y * width + x) * 3);
    }
  }
  return pixels;
}
