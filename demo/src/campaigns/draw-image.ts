/** The gradient of the sky, and the colour of the sun. */
export type Colours = readonly [above: string, below: string, sun: string];

type Rgb = readonly [number, number, number];

const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const mix = (one: Rgb, other: Rgb, share: number): Rgb =>
  one.map((value, index) => value + ((other[index] ?? 0) - value) * share) as unknown as Rgb;
/** How much of a pixel a shape covers, from the pixel's distance to the shape's edge: a soft edge of one pixel. */
const covered = (distance: number): number => Math.min(1, Math.max(0, 0.5 - distance));

const WAVES = [
  { level: 0.62, swell: 0.05, length: 0.9, share: 0.25 },
  { level: 0.74, swell: 0.06, length: 0.6, share: 0.5 },
  { level: 0.87, swell: 0.04, length: 0.4, share: 0.75 },
];
const DARK: Rgb = [10, 18, 40];

/** A sun over three waves, as red, green and blue bytes: a picture for a creative of any size, the same for a seed. */
export function drawImage(
  { width, height }: { width: number; height: number },
  colours: Colours,
  seed: number,
): Uint8Array {
  const [above, below, sun] = colours.map(rgbOf) as [Rgb, Rgb, Rgb];
  const pixels = new Uint8Array(width * height * 3);
  const radius = Math.min(width, height) * 0.28;
  const centre = { x: width * (0.3 + 0.4 * ((seed % 5) / 4)), y: height * 0.42 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let colour = mix(above, below, y / height);
      colour = mix(colour, sun, covered(Math.hypot(x - centre.x, y - centre.y) - radius));
      for (const [index, { level, swell, length, share }] of WAVES.entries()) {
        const phase = (2 * Math.PI * x) / (Math.max(width, height) * length) + seed + index * 2;
        const edge = height * (level + swell * Math.sin(phase));
        colour = mix(colour, mix(above, DARK, share), covered(edge - y));
      }
      pixels.set(colour.map(Math.round), (y * width + x) * 3);
    }
  }
  return pixels;
}
