import { offsetSeconds, type VastAd } from "./read-vast.ts";
import type { Tracker } from "./tracker.ts";

export interface PlayerEvents {
  /** It is playing: the ad has begun. */
  started(): void;
  progress(seconds: number): void;
  completed(): void;
  /** The media cannot be played on. */
  failed(code: number): void;
  /** It has stood still for so long that the user must be able to leave. It may still go on. */
  stalled(): void;
}

/** As long as a file may take to start. */
export const STALL_LIMIT_MS = 8_000;
const WATCH_MS = 1_000;

/** Ends the media and its download. */
export function forget(media: HTMLMediaElement): void {
  media.pause();
  media.removeAttribute("src");
  media.load();
}

const QUARTILES = [
  [0.25, "firstQuartile"],
  [0.5, "midpoint"],
  [0.75, "thirdQuartile"],
] as const;

/**
 * Plays the media and tracks it: each quartile and progress offset once and in order, also where the browser reports the time
 * seldom. While the page is hidden it pauses.
 */
export function player(
  media: HTMLMediaElement,
  ad: VastAd,
  tracker: Tracker,
  on: PlayerEvents & { event(type: string, data?: object): void },
  errorCode: number,
) {
  let state: "new" | "playing" | "ended" = "new";
  let isPaused = false;

  const duration = () => (Number.isFinite(media.duration) && media.duration > 0 ? media.duration : ad.durationSeconds);
  const track = (type: string) => tracker.once(type, ad.tracking.get(type));
  const again = (type: string) => tracker.fire(ad.tracking.get(type));
  const quartile = (type: string) => {
    if (tracker.isDone(type)) return;
    track(type);
    on.event(type);
  };

  function reached(seconds: number): void {
    for (const [share, name] of QUARTILES) if (duration() > 0 && seconds >= duration() * share) quartile(name);
    for (const { offset, url } of ad.progress) {
      const at = offsetSeconds(offset, duration());
      if (at !== null && seconds >= at) tracker.once(`progress ${offset} ${url}`, [url]);
    }
  }

  media.addEventListener("playing", () => {
    if (state !== "new") return;
    state = "playing";
    on.started();
    track("start");
    on.event("start", { duration: duration(), mediaPlayerVolume: media.muted ? 0 : media.volume });
    // It may have been hidden since the show began.
    onVisibility();
  });
  media.addEventListener("timeupdate", () => {
    if (state !== "playing") return;
    reached(media.currentTime);
    on.progress(media.currentTime);
  });
  media.addEventListener("ended", () => {
    if (state !== "playing") return;
    reached(Infinity);
    state = "ended";
    quartile("complete");
    on.completed();
  });
  media.addEventListener("error", () => {
    if (state === "ended") return;
    state = "ended";
    on.failed(errorCode);
  });

  const onVisibility = () => {
    if (document.visibilityState === "hidden") pause();
    else resume();
  };
  function pause(): void {
    if (state !== "playing" || isPaused) return;
    isPaused = true;
    media.pause();
    again("pause");
    on.event("pause");
  }
  function resume(): void {
    if (state !== "playing" || !isPaused) return;
    isPaused = false;
    media.play().catch(() => {});
    again("resume");
    on.event("resume");
  }
  document.addEventListener("visibilitychange", onVisibility);

  let [lastSeconds, stoodMs] = [0, 0];
  const watch = setInterval(() => {
    if (state !== "playing" || isPaused) return;
    stoodMs = media.currentTime === lastSeconds ? stoodMs + WATCH_MS : 0;
    lastSeconds = media.currentTime;
    // A call, another app's sound or a media key has paused it, and a video keeps the screen until its end.
    if (media instanceof HTMLVideoElement && media.paused && !media.ended) media.play().catch(() => {});
    if (stoodMs === STALL_LIMIT_MS) on.stalled();
  }, WATCH_MS);

  return {
    /** Starts with sound, or without it where the browser demands a touch first. */
    async play(): Promise<void> {
      try {
        await media.play();
      } catch {
        media.muted = true;
        await media.play();
      }
    },
    setMuted(muted: boolean): void {
      if (media.muted === muted) return;
      media.muted = muted;
      again(muted ? "mute" : "unmute");
      on.event("volumeChange", { mediaPlayerVolume: muted ? 0 : media.volume });
    },
    pause,
    resume,
    isPlaying: () => state === "playing",
    /** The user has left it before its end. */
    skip(): void {
      if (state !== "playing") return;
      state = "ended";
      track("skip");
      on.event("skipped");
    },
    stop(): void {
      state = "ended";
      clearInterval(watch);
      document.removeEventListener("visibilitychange", onVisibility);
      forget(media);
    },
  };
}
