import { instructionFrame } from "@millrace/contract";
import { useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { addressOf } from "../../../shared/call-api.ts";
import { SkeletonBar } from "../../../ui/states/skeletons.tsx";
import { readFrameMessage } from "./frame-message.ts";
import classes from "./instruction-frame.module.css";

const isPart = (hash: string) => /^[\w-]{1,64}$/.test(hash);

/** How to put ads into the app. The address's hash opens a platform's part, and choosing a part writes it there. */
export function InstructionFrame({ uuid }: { uuid: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [loaded, setLoaded] = useState(false);
  const hash = useLocation({ select: (location) => (isPart(location.hash) ? location.hash : "") });
  const source = addressOf(instructionFrame, { id: uuid }, {});
  // The address that it begins with: from then on the frame is turned, not loaded again.
  const [first] = useState(() => (hash === "" ? source : `${source}#${hash}`));
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
        // It leads out by its messages alone: neither its links nor its scripts turn this page or open another.
        // oxlint-disable-next-line react/iframe-missing-sandbox -- our own server's page, known by its origin to who hears its messages
        sandbox="allow-scripts allow-same-origin"
        src={first}
        className={classes.frame}
        data-loaded={loaded ? "" : undefined}
        onLoad={() => setLoaded(true)}
      />
    </div>
  );
}

/** Does what the frame asks for: nobody else is listened to, another frame or window of our own origin included. */
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
