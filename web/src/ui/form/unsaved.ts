import { createContext, useContext, useEffect, useId, useMemo } from "react";

/** What holds forms and asks before their text is lost: the frame of all pages, or a dialog. */
export interface Holder {
  /** Notes whether a form has unsaved changes. A lasting form stays mounted on every page of the frame. */
  report: (form: string, dirty: boolean, lasting: boolean) => void;
  /** Asks whether unsaved changes may be lost; if so, calls `leave`. */
  ask: (leave: () => void) => void;
  /** Closes the holder: a dialog with unsaved changes asks first. */
  close: (act: () => void) => void;
  /** Returns a function that tells whether the user has left the holder since. */
  watch: () => () => boolean;
}

const NOBODY: Holder = {
  report: () => undefined,
  ask: (leave) => leave(),
  close: (act) => act(),
  watch: () => () => false,
};

/** Without a frame, as on the login page, nobody asks. */
export const Unsaved = createContext(NOBODY);

/** Reports a form's unsaved changes to all that hold it. Returns a function that reports at once, before the next render. */
export function useUnsaved(dirty: boolean, lasting = false): (dirty: boolean) => void {
  const { report } = useContext(Unsaved);
  const form = useId();
  useEffect(() => {
    report(form, dirty, lasting);
    return () => report(form, false, lasting);
  }, [report, form, dirty, lasting]);
  return (now) => report(form, now, lasting);
}

/** A dialog as a holder within another one. */
export function useDialogHolder(): Holder {
  const outer = useContext(Unsaved);
  return useMemo(() => {
    const forms = new Set<string>();
    let closings = 0;
    return {
      ...outer,
      report: (form, dirty, lasting) => {
        if (dirty) forms.add(form);
        else forms.delete(form);
        outer.report(form, dirty, lasting);
      },
      close: (act) => {
        const leave = () => {
          closings += 1;
          act();
        };
        if (forms.size > 0) outer.ask(leave);
        else leave();
      },
      watch: () => {
        const [before, hasLeft] = [closings, outer.watch()];
        return () => closings !== before || hasLeft();
      },
    };
  }, [outer]);
}
