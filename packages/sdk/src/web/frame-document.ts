/**
 * Runs inside the ad's frame, as text: it has no origin there and reaches the app by messages alone. Links and window.open
 * leave through the SDK, so that a landing page opens outside of the sandbox and the click is counted; Escape reaches the overlay.
 */
const BRIDGE = `(function(){
var say=function(message){message.millrace=1;parent.postMessage(message,"*")};
var open=function(url){try{say({open:String(new URL(url,document.baseURI))})}catch(e){}};
addEventListener("click",function(e){
var a=e.target&&e.target.closest&&e.target.closest("a[href],area[href]");
if(a&&!e.defaultPrevented){e.preventDefault();open(a.href)}});
window.open=function(url){if(url)open(url);return null};
addEventListener("keydown",function(e){if(e.key==="Escape")say({escape:1})});
addEventListener("load",function(){say({shown:1})});
})()`;

/** A whole document around an ad's markup, for `srcdoc` or for the frame page. */
export function frameDocument(markup: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><base target="_blank"><style>html,body{margin:0;overflow:hidden}</style><script>${BRIDGE}</script>${markup}`;
}
