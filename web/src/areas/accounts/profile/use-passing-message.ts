import { PROFILE_MESSAGE_MS } from "@millrace/contract";
import { useCallback, useEffect, useRef, useState } from "react";

/** A message that disappears after five seconds, and the function that shows one. */
export function usePassingMessage(): [string | null, (message: string) => void] {
  const [message, setMessage] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = useCallback((next: string) => {
    clearTimeout(timer.current);
    setMessage(next);
    timer.current = setTimeout(() => setMessage(null), PROFILE_MESSAGE_MS);
  }, []);
  return [message, show];
}
