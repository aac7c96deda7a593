import { escapeHtml } from "@millrace/openrtb";
import type { BeaconUrls } from "../delivery/beacon-urls.ts";

/** The ad may run scripts and open links on a click, but has no origin and no access to the page around it. */
const SANDBOX =
  "allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation";

/** Runs in the ad's frame and reports a click on a link before the ad's own scripts can stop the event. */
const BRIDGE = `addEventListener("click",function(e){
var t=e.target;if(t&&t.closest&&t.closest("a[href]"))parent.postMessage({millrace:1,click:1},"*")},true)`;

/**
 * Runs in the frame around the ad's. It has the click's address, which the ad cannot read, and calls it once after a press
 * on the ad. A press activates the frame it hits and the frames around it; a press elsewhere on the page does not.
 */
const HOLDER = `(function(click,markup,sandbox){
var told=false,frame=document.createElement("iframe");
addEventListener("message",function(e){
var m=e.data,a=navigator.userActivation;
if(told||e.source!==frame.contentWindow||!m||m.millrace!==1||!m.click)return;
if(!(a?a.isActive:document.activeElement===frame))return;
told=true;
if(window.fetch)fetch(click,{mode:"no-cors",keepalive:true,credentials:"omit"}).catch(function(){});
else new Image().src=click});
frame.setAttribute("sandbox",sandbox);
frame.setAttribute("scrolling","no");
frame.title="Advertisement";
frame.srcdoc=markup;
document.body.appendChild(frame)})`;

/**
 * Wraps a bidder's HTML for a page that only writes markup: in a frame without an origin, inside our own frame, also without
 * one, that counts the click, with our pixel outside both. The ad can read neither address.
 */
export function framedHtml(adm: string, { w, h }: { w: number | null; h: number | null }, beacons: BeaconUrls): string {
  const size = w === null || h === null ? "width:100%;height:100%" : `width:${w}px;height:${h}px`;
  return (
    `<iframe title="Advertisement" sandbox="${SANDBOX}" scrolling="no" style="border:0;display:block;${size}" ` +
    `srcdoc="${holderDocument(adm, beacons)}"></iframe>` +
    pixelOf(beacons)
  );
}

/** Our own HTML for such a page: without scripts, and with a link that counts the click, so it needs no frame. */
export const pageHtml = (html: string, beacons: BeaconUrls): string => html + pixelOf(beacons);

/**
 * A bidder's HTML for the app's own container of MRAID, which talks to the document that it shows and to no frame in it. The pixel comes
 * first, where no markup swallows it. There is no click address, which the ad could read, so clicks are not counted.
 */
export const containerHtml = (adm: string, beacons: BeaconUrls): string => pixelOf(beacons) + adm;

const pixelOf = ({ impression }: BeaconUrls): string =>
  `<img src="${escapeHtml(impression)}" alt="" width="1" height="1" style="position:absolute;visibility:hidden">`;

/** A string literal that cannot end its script element. */
const scriptText = (text: string) => JSON.stringify(text).replaceAll("<", "\\u003c");

// The parts that all ads share are escaped once.
const HOLDER_STYLE =
  "html,body{margin:0;height:100%;overflow:hidden}iframe{border:0;display:block;width:100%;height:100%}";
const HOLDER_START = escapeHtml(
  `<!doctype html><meta charset="utf-8"><style>${HOLDER_STYLE}</style><body><script>${HOLDER}(`,
);
const AD_START = escapeHtml(
  scriptText(
    `<!doctype html><meta charset="utf-8"><style>html,body{margin:0;padding:0;overflow:hidden}</style>` +
      `<script>${BRIDGE}</script>`,
  ).slice(0, -1),
);
const HOLDER_END = escapeHtml(`,${scriptText(SANDBOX)})</script>`);

/** The document around the ad's, as the text of an attribute. */
function holderDocument(adm: string, { click }: BeaconUrls): string {
  const ad = AD_START + escapeHtml(scriptText(adm).slice(1));
  return `${HOLDER_START}${escapeHtml(scriptText(click))},${ad}${HOLDER_END}`;
}
