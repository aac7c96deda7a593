import { escapeHtml } from "@millrace/openrtb";
import type { BeaconUrls } from "../delivery/beacon-urls.ts";

/** The ad may run scripts and open what a person clicks; it has no origin, and cannot reach the page around it. */
const SANDBOX =
  "allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation";

/**
 * A bidder's HTML for a page that only knows how to write markup: in a frame without an origin, with our pixel outside of
 * it, where the ad cannot touch it. A click on a link inside is told by a script before the ad's own.
 */
export function framedHtml(adm: string, { w, h }: { w: number | null; h: number | null }, beacons: BeaconUrls): string {
  const size = w === null || h === null ? "width:100%;height:100%" : `width:${w}px;height:${h}px`;
  return (
    `<iframe title="Advertisement" sandbox="${SANDBOX}" scrolling="no" style="border:0;display:block;${size}" ` +
    `srcdoc="${escapeHtml(innerDocument(adm, beacons))}"></iframe>` +
    `<img src="${escapeHtml(beacons.impression)}" alt="" width="1" height="1" style="position:absolute;visibility:hidden">`
  );
}

function innerDocument(adm: string, { click }: BeaconUrls): string {
  return (
    `<!doctype html><meta charset="utf-8"><style>html,body{margin:0;padding:0;overflow:hidden}</style>` +
    `<script>${clickScript(click)}</script>${adm}`
  );
}

/** Tells of the first click on a link, whatever the ad does with the event. */
function clickScript(click: string): string {
  return (
    `(function(){var told=false;addEventListener("click",function(e){` +
    `var t=e.target;if(told||!(t&&t.closest&&t.closest("a[href]")))return;told=true;` +
    `new Image().src=${scriptText(click)}},true)})()`
  );
}

/** A string literal that cannot end its script element. */
const scriptText = (text: string) => JSON.stringify(text).replaceAll("<", "\\u003c");
