/**
 * How long an ad may load its pictures before it counts as shown without them. Users see what it has by then, and one address
 * that never answers must not cost the impression.
 */
const COMPLETE_WITHIN_MS = 2_000;

/**
 * A script, as text, that runs in the ad's frame, where only messages leave the frame. It passes links and window.open to
 * the SDK, so that a landing page opens outside the sandbox and the click is counted, and the Escape key to the overlay.
 * An ad is shown once it is complete, or once its document is there, some time has passed and the browser draws it.
 */
const BRIDGE = `(function(){
var say=function(message){message.millrace=1;parent.postMessage(message,"*")};
var open=function(url){try{say({open:String(new URL(url,document.baseURI))})}catch(e){}};
addEventListener("click",function(e){
var a=e.target&&e.target.closest&&e.target.closest("a[href],area[href]");
if(a&&!e.defaultPrevented){e.preventDefault();open(a.href)}});
window.open=function(url){if(url)open(url);return null};
addEventListener("keydown",function(e){if(e.key==="Escape")say({escape:1})});
var shown=function(){say({shown:1})};
addEventListener("load",shown);
addEventListener("DOMContentLoaded",function(){setTimeout(function(){requestAnimationFrame(shown)},${COMPLETE_WITHIN_MS})});
})()`;

/**
 * A script that runs in the frame around the ad's. A press activates the frame it hits and the frames around it. This frame
 * shares its origin with neither the app's page nor the ad, so it is active only after a press on the ad itself.
 */
const HOLDER = `(function(markup){
var frame=document.createElement("iframe");
var say=function(message){message.millrace=1;parent.postMessage(message,"*")};
var isPressed=function(){var a=navigator.userActivation;return a?a.isActive:document.activeElement===frame};
addEventListener("message",function(e){
var message=e.data;
if(e.source===parent&&message&&message.mraid)frame.contentWindow.postMessage(message,"*");
if(e.source!==frame.contentWindow||!message||message.millrace!==1)return;
if(message.shown)say({shown:1});
if(message.escape)say({escape:1});
if(message.mraid)say({mraid:message.mraid,pressed:isPressed()});
if(typeof message.open==="string"&&isPressed())say({open:message.open})});
frame.addEventListener("load",function(){say({shown:1})});
frame.setAttribute("sandbox","allow-scripts allow-popups");
frame.setAttribute("scrolling","no");
frame.title="Advertisement";
frame.srcdoc=markup;
document.body.appendChild(frame)})`;

/**
 * The document for an ad's markup, for `srcdoc` or the frame page: our frame with the ad's frame inside. `script` runs before
 * the ad's own.
 */
export function frameDocument(markup: string, script = ""): string {
  const style = "html,body{margin:0;height:100%;overflow:hidden}iframe{border:0;display:block;width:100%;height:100%}";
  // A script ends at the first `</script`, even inside a string.
  const ad = JSON.stringify(adDocument(markup, script)).replaceAll("<", "\\u003c");
  return `<!doctype html><meta charset="utf-8"><style>${style}</style><body><script>${HOLDER}(${ad})</script>`;
}

function adDocument(markup: string, script: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><base target="_blank"><style>html,body{margin:0;overflow:hidden}</style><script>${BRIDGE};${script}</script>${markup}`;
}
