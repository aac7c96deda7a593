import { APPS, type AppFacts, AUDIENCES } from "./catalogue.data.ts";
import type { CountryCode } from "./countries.ts";
import type { DemoApp } from "./demo-app.ts";

/** The demo's apps, which cover every platform and most formats on each. */
export const CATALOGUE: readonly DemoApp[] = APPS.map(({ logo, audience, ...facts }) => ({
  ...facts,
  logoUrl: logoUrl(logo),
  audience: shares(AUDIENCES[audience]),
}));

function shares(weights: Partial<Record<CountryCode, number>>): { country: CountryCode; share: number }[] {
  const all = Object.entries(weights) as [CountryCode, number][];
  const sum = all.reduce((total, [, weight]) => total + weight, 0);
  return all.map(([country, weight]) => ({ country, share: weight / sum }));
}

/** An SVG icon as a data URL, so that the demo loads nothing from other hosts. */
function logoUrl({ colours: [from, to], shape }: AppFacts["logo"]): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs><rect width="48" height="48" rx="11" fill="url(#g)"/>${shape}</svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
