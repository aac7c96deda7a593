import { SCROLL_THROTTLE_MS, SCROLL_TOP_AFTER_PX } from "@millrace/contract";
import { useEffect, useState } from "react";
import { UpIcon } from "../../ui/icons.tsx";
import classes from "./links.module.css";

/** Appears in the frame's links after scrolling far down, so that it covers nothing; checks at most every 100 ms. */
export function ScrollToTop() {
  const [far, setFar] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setFar(window.scrollY > SCROLL_TOP_AFTER_PX);
      }, SCROLL_THROTTLE_MS);
    };
    window.addEventListener("scroll", look, { passive: true });
    return () => {
      window.removeEventListener("scroll", look);
      clearTimeout(timer);
    };
  }, []);
  if (!far) return null;
  return (
    <button
      type="button"
      className={classes.link}
      aria-label="Scroll to top"
      title="Scroll to top"
      onClick={() => window.scrollTo({ top: 0, behavior: "smooth" })}
    >
      <UpIcon /> <span className={classes.label}>To top</span>
    </button>
  );
}
