import { instructionFrame } from "@millrace/contract";
import { useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { addressOf } from "../../../shared/call-api.ts";
import { SkeletonBar } from "../../../ui/states/skeletons.tsx";
import { readFrameMessage } from "./frame-message.ts";
import classes from "./instruction-frame.module.css";

const isPart = (hash: string) => /^[\w-]{1,64}$/.test(hash);

/** The integration instructions. The address's hash selects a platform's section and follows the selection. */
export function InstructionFrame({ uuid }: { uuid: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [loaded, setLoaded] = useState(false);
  const hash = useLocation({ select: (location) => (isPart(location.hash) ? location.hash : "") });
  const source = addressOf(instructionFrame, { id: uuid }, {});
  // The initial address: later selections message the frame instead of reloading it.
  const [first] = useState(() => (hash === "" ? source : `${source}#${hash}`));
  const height = useContentHeight(frame, loaded);
  useFrameWishes(frame);

  useEffect(() => {
    const inside = frame.current?.contentWindow;
    if (!loaded || !inside || hash === "" || inside.location.hash === `#${hash}`) return;
    inside.location.replace(`${source}#${hash}`);
  }, [hash, loaded, source]);

  return (
    <div className={classes.frameBox} aria-busy={!loaded}>
      {loaded ? null : (
        <div className={classes.frameSkeleton}>
          <span className="visually-hidden">Loading instructions ...</span>
          <SkeletonBar width="240px" height="18px" />
          <SkeletonBar width="60%" />
          <SkeletonBar width="82%" height="120px" />
        </div>
      )}
      <iframe
        ref={frame}
        title="Instructions"
        // The frame navigates by messages only: its links and scripts can neither move this page nor open another.
        // oxlint-disable-next-line react/iframe-missing-sandbox -- our own server's page, known by its origin to who hears its messages
        sandbox="allow-scripts allow-same-origin"
        src={first}
        className={classes.frame}
        data-loaded={loaded ? "" : undefined}
        onLoad={() => setLoaded(true)}
        style={height === null ? undefined : { height }}
      />
    </div>
  );
}

/** The height of the frame's page, so that nothing scrolls inside; null until it is known. */
function useContentHeight(frame: { readonly current: HTMLIFrameElement | null }, loaded: boolean): number | null {
  const [height, setHeight] = useState<number | null>(null);
  useEffect(() => {
    const body = loaded ? frame.current?.contentDocument?.body : undefined;
    if (!body) return undefined;
    const observer = new ResizeObserver(() => setHeight(body.offsetHeight === 0 ? null : body.offsetHeight));
    observer.observe(body);
    return () => observer.disconnect();
  }, [frame, loaded]);
  return height;
}

/** Handles the frame's messages, and ignores all others, even from frames or windows of the same origin. */
function useFrameWishes(frame: { readonly current: HTMLIFrameElement | null }): void {
  const navigate = useNavigate();
  const router = useRouter();
  useEffect(() => {
    const onMessage = ({ origin, source, data }: MessageEvent<unknown>) => {
      const from = frame.current?.contentWindow;
      if (origin !== window.location.origin || !from || source !== from) return;
      const wish = readFrameMessage(data, window.location.origin);
      if (wish?.kind === "hash") {
        void navigate({ to: ".", search: true, hash: wish.hash.slice(1), replace: true, resetScroll: false });
      } else if (wish?.kind === "page") {
        router.history.push(wish.path);
      } else if (wish?.kind === "leave") {
        window.location.assign(wish.url);
      }
    };
    window.addEventListener("message", onMessage);
    return () => window.removeEventListener("message", onMessage);
  }, [frame, navigate, router]);
}
