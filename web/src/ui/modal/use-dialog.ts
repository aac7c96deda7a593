import { useMemo, useState } from "react";

/** The subject of a dialog. */
export interface DialogState<T> {
  /** The last subject, kept while the dialog fades out. */
  subject: T | null;
  opened: boolean;
}

/** The state of a dialog that is opened for different subjects. The functions are stable. */
export function useDialog<T>() {
  const [state, setState] = useState<DialogState<T>>({ subject: null, opened: false });
  const turn = useMemo(
    () => ({
      open: (subject: T) => setState({ subject, opened: true }),
      close: () => setState(({ subject }) => ({ subject, opened: false })),
    }),
    [],
  );
  return { ...state, ...turn };
}
