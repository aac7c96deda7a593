import { useEffect, useRef } from "react";
import type { AdDocument } from "./ad-document.ts";
import classes from "./test-ad.module.css";

/** The SDK's page for ads: it has no origin, so an ad's scripts reach neither this page nor its cookies or calls. */
const FRAME_PAGE = "/sdk/frame.html";

/**
 * Shows an ad as the SDK does in an app. Our own Content-Security-Policy would also apply to a `srcdoc`, and then the ad's
 * scripts and media would not load.
 */
export function AdPreview({ ad }: { ad: AdDocument }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    function onMessage({ source, origin, data }: MessageEvent<unknown>) {
      const inside = frame.current?.contentWindow;
      // Every frame without an origin has the origin "null"; only `source` identifies this one.
      if (!inside || source !== inside || origin !== "null" || !isReady(data)) return;
      window.removeEventListener("message", onMessage);
      inside.postMessage({ millrace: 1, markup: ad.html }, "*");
    }
    window.addEventListener("message", onMessage);
    return () => window.removeEventListener("message", onMessage);
  }, [ad]);
  return (
    // A banner may be wider than a phone's panel, which then scrolls, also by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region needs the focus
    <div className={classes.preview} role="group" aria-label="The ad" tabIndex={0}>
      <iframe
        ref={frame}
        title="Test ad"
        sandbox="allow-scripts allow-popups"
        referrerPolicy="origin"
        src={FRAME_PAGE}
        width={ad.width}
        height={ad.height}
        className={classes.frame}
        data-fluid={ad.isFluid ? "" : undefined}
        style={{ aspectRatio: `${ad.width} / ${ad.height}` }}
      />
    </div>
  );
}

const isReady = (data: unknown): boolean =>
  typeof data === "object" && data !== null && "millrace" in data && data.millrace === 1 && "ready" in data;
