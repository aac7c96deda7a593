import { createContext, useContext, useEffect, useId } from "react";

/** Reports whether a form has unsaved changes. */
export type Report = (form: string, dirty: boolean) => void;

/** Of the guard around a page's forms; null without one. */
export const Unsaved = createContext<Report | null>(null);

/** Tells the page's guard about a form's unsaved changes. */
export function useUnsaved(dirty: boolean): void {
  const report = useContext(Unsaved);
  const form = useId();
  useEffect(() => {
    report?.(form, dirty);
    return () => report?.(form, false);
  }, [report, form, dirty]);
}
