import { useMemo, useState } from "react";

/** The subject of a dialog. */
export interface Asking<T> {
  /** The last subject, kept while the dialog fades out. */
  asked: T | null;
  opened: boolean;
}

/** The state of a dialog that is opened for different subjects. The functions are stable. */
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
