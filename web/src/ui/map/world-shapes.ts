import { geoNaturalEarth1, geoPath } from "d3-geo";
import type { FeatureCollection, Geometry } from "geojson";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import atlas from "world-atlas/countries-110m.json" with { type: "json" };
import { ALPHA2_OF_NUMERIC } from "./iso-countries.data.ts";

export const MAP_WIDTH = 640;
export const MAP_HEIGHT = 284;

/** Left out: it has no ad requests and takes a fifth of the height. */
const ANTARCTICA = "010";

/** Rotates the map so that its edges run through the Bering Strait and cut no country in two. */
const WHOLE_SIBERIA: [number, number] = [-11, 0];

export interface Shape {
  key: string;
  /** ISO 3166-1 alpha-2; empty for territories without a code. */
  code: string;
  /** SVG path data. */
  path: string;
}

/**
 * The outlines of the world's countries. geoPath goes through the projection's stream, which cuts them at the
 * antimeridian.
 */
export function worldShapes(): Shape[] {
  const topology = atlas as unknown as Topology<{ countries: GeometryCollection<{ name: string }> }>;
  const world: FeatureCollection<Geometry, { name: string }> = feature(topology, topology.objects.countries);
  const land = { ...world, features: world.features.filter((country) => country.id !== ANTARCTICA) };
  const projection = geoNaturalEarth1().rotate(WHOLE_SIBERIA).fitSize([MAP_WIDTH, MAP_HEIGHT], land);
  const draw = geoPath(projection).digits(1);
  return land.features.map((country, index) => ({
    key: `${country.id ?? "none"} ${index}`,
    code: ALPHA2_OF_NUMERIC[String(country.id)] ?? "",
    path: draw(country) ?? "",
  }));
}
