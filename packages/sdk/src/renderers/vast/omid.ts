import type { Verification } from "./read-vast.ts";

// Open Measurement: verification scripts run in a frame without an origin, where they find `omid3p`, the interface that the
// OM SDK's verification client uses (OM SDK, "OMID API", section omid3p). They see events only, never the app's page.

export interface Measurement {
  /** A media or geometry event, in the order that the player reports. */
  event(type: string, data?: object): void;
  finish(): void;
}

/**
 * Runs in the frame. Session observers first get `sessionStart`, and late listeners nothing twice: events are kept until a
 * script registers for them.
 */
const SHIM = `(function(context,parameters){
var observers=[],listeners={},past=[];
var tell=function(f,e){try{f(e)}catch(x){}};
var isSession=function(e){return e.type==="sessionStart"||e.type==="sessionError"||e.type==="sessionFinish"};
window.omid3p={
registerSessionObserver:function(f,vendor){observers.push([f,vendor]);past.forEach(function(e){if(isSession(e))tell(f,forVendor(e,vendor))})},
addEventListener:function(type,f){(listeners[type]=listeners[type]||[]).push(f);past.forEach(function(e){if(e.type===type&&!isSession(e))tell(f,e)})}};
var forVendor=function(e,vendor){if(e.type!=="sessionStart")return e;
var data=Object.assign({},e.data,vendor&&parameters[vendor]!==undefined?{verificationParameters:parameters[vendor]}:{});
return Object.assign({},e,{data:data})};
var dispatch=function(e){past.push(e);
if(isSession(e))observers.forEach(function(o){tell(o[0],forVendor(e,o[1]))});
else (listeners[e.type]||[]).forEach(function(f){tell(f,e)})};
addEventListener("message",function(m){if(m.source===parent&&m.data&&m.data.omid)dispatch(m.data.omid)});
parent.postMessage({omid:"ready"},"*")})`;

/**
 * Loads the scripts and starts a session. `onFailed` gets those that could not be loaded. Null without a script to run.
 * `adSessionId` must be new for each impression.
 */
export function measure(
  verifications: readonly Verification[],
  adSessionId: string,
  onFailed: (verification: Verification) => void,
): Measurement | null {
  const scripts = verifications.filter(({ script }) => script !== null);
  if (scripts.length === 0) return null;
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.title = "Measurement";
  frame.tabIndex = -1;
  frame.setAttribute("aria-hidden", "true");
  Object.assign(frame.style, { display: "none" });

  const literal = (value: unknown) => JSON.stringify(value).replaceAll("<", "\\u003c");
  const parameters = Object.fromEntries(scripts.map(({ vendor, parameters }) => [vendor, parameters]));
  const tags = scripts.map(({ script }, nth) => {
    const src = (script ?? "").replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    return `<script src="${src}" onerror="parent.postMessage({omid:'failed',nth:${nth}},'*')"></script>`;
  });
  frame.srcdoc = `<!doctype html><script>${SHIM}({},${literal(parameters)})</script>${tags.join("")}`;

  let isReady = false;
  const waiting: object[] = [];
  const post = (event: object) => {
    if (isReady) frame.contentWindow?.postMessage({ omid: event }, "*");
    else waiting.push(event);
  };
  const event = (type: string, data?: object) =>
    post({ adSessionId, timestamp: Date.now(), type, ...(data === undefined ? {} : { data }) });
  const onMessage = ({ source, data }: MessageEvent) => {
    if (source !== frame.contentWindow) return;
    const { omid, nth } = (data ?? {}) as { omid?: unknown; nth?: unknown };
    const failed = typeof nth === "number" ? scripts[nth] : undefined;
    if (omid === "failed" && failed) onFailed(failed);
    if (omid !== "ready") return;
    isReady = true;
    for (const each of waiting.splice(0)) post(each);
  };
  window.addEventListener("message", onMessage);
  document.body.append(frame);
  event("sessionStart", {
    context: {
      apiVersion: "1.0",
      environment: "web",
      accessMode: "limited",
      adSessionType: "native",
      omidNativeInfo: { partnerName: "Millrace", partnerVersion: "1.0.0" },
      supports: [],
    },
    supportedApis: [],
    mediaType: "video",
    creativeType: "video",
    impressionType: "beginToRender",
  });
  let finished = false;
  return {
    event,
    finish() {
      if (finished) return;
      finished = true;
      event("sessionFinish");
      window.removeEventListener("message", onMessage);
      // The scripts report once more before they go.
      setTimeout(() => frame.remove(), 1000);
    },
  };
}
