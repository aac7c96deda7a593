import type { CoreOptions, Prepare } from "../core/index.ts";
import { SdkError } from "../core/index.ts";
import type { Renderer } from "../renderers/renderer.ts";
import type { Place } from "./place.ts";

export interface WebOptions extends CoreOptions {
  /** The frame page (`/sdk/frame.html` at the endpoint), for pages whose Content-Security-Policy blocks ads. */
  frameUrl?: string;
}

/** The kinds of markup, each with a renderer's file of its own. */
const KINDS: readonly string[] = ["html", "mraid", "vast", "native"];

/** Makes an ad ready with the renderer for its markup, which is loaded from the platform the first time. */
export function prepareAd({ endpoint, frameUrl }: WebOptions): Prepare<Place> {
  return async (ad, format, budget) => {
    const { type } = ad.markup;
    if (!KINDS.includes(type)) return null;
    const renderer = await loadFile<Renderer>(endpoint, `${type}.mjs`);
    return renderer.prepare(ad, { format, budget, frameUrl });
  };
}

/** Left to the browser by bundlers: the platform serves the file that belongs to its markup. */
const browserImport = (url: string): Promise<unknown> => import(/* webpackIgnore: true */ /* @vite-ignore */ url);

/**
 * The next address to try for each file that failed to load. Most browsers remember a failed address until the page is left,
 * so every retry uses another one.
 */
const nextAddress = new Map<string, string>();

/** Loads a part of the SDK from the platform. Rejects with SdkError `network`. */
export async function loadFile<File>(endpoint: string, file: string, load = browserImport): Promise<File> {
  const url = `${endpoint.replace(/\/+$/, "")}/sdk/${file}`;
  const address = nextAddress.get(url) ?? url;
  try {
    return (await load(address)) as File;
  } catch {
    nextAddress.set(url, `${address}?`);
    throw new SdkError("network", `${url} could not be loaded`);
  }
}
