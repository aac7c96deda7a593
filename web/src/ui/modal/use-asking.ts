import { useMemo, useState } from "react";

/** What a dialog asks about. */
export interface Asking<T> {
  /** What was asked about last: it stays while the dialog fades away. */
  asked: T | null;
  opened: boolean;
}

/** A dialog that asks about one thing after the other. The two functions stay the same for as long as it is there. */
export function useAsking<T>() {
  const [asking, setAsking] = useState<Asking<T>>({ asked: null, opened: false });
  const turn = useMemo(
    () => ({
      ask: (asked: T) => setAsking({ asked, opened: true }),
      close: () => setAsking(({ asked }) => ({ asked, opened: false })),
    }),
    [],
  );
  return { ...asking, ...turn };
}
