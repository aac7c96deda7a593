import type { Format } from "@millrace/contract";

/** What the platform says at `/demo/config.json`: the app whose ads this page shows. */
export interface DemoConfig {
  app: string;
  name: string;
  zones: readonly { zone: string; format: Format }[];
}

/** The app's zone for a format; a zone that is not there yet comes into being at its first use. */
export const zoneFor = (config: DemoConfig, format: Format): string =>
  config.zones.find((zone) => zone.format === format)?.zone ?? `demo-${format}`;
