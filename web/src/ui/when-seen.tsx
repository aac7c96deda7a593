import { type ReactNode, useEffect, useRef, useState } from "react";

const AHEAD = "100px";

interface WhenSeenProps {
  fallback: ReactNode;
  children: ReactNode;
  /** Renders the content wherever it is. */
  now?: boolean;
}

/** Renders its content once it is near the viewport, and the fallback until then. */
export function WhenSeen({ fallback, children, now = false }: WhenSeenProps) {
  const place = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (!place.current) return undefined;
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
      },
      { rootMargin: AHEAD },
    );
    watcher.observe(place.current);
    return () => watcher.disconnect();
  }, []);
  if (seen || now) return children;
  return (
    <div ref={place}>
      {fallback}
      <p data-only-printed>This part was not loaded. Scroll down to it, and print again.</p>
    </div>
  );
}
