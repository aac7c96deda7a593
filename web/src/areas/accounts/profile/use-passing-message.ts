import { PROFILE_MESSAGE_MS } from "@millrace/contract";
import { useCallback, useEffect, useState } from "react";

/** A message that disappears five seconds after it came into sight, and the function that shows one. */
export function usePassingMessage(): [string | null, (message: string) => void] {
  const [shown, setShown] = useState<{ message: string } | null>(null);
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => setShown(null), PROFILE_MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  const show = useCallback((message: string) => setShown({ message }), []);
  return [shown?.message ?? null, show];
}
