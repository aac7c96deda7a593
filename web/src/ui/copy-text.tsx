import { useEffect, useRef, useState } from "react";
import classes from "./copy-text.module.css";
import { CheckIcon, CopyIcon } from "./icons.tsx";

const SAID_MS = 2000;

/** A text that a click copies; `what` names it for who hears the page. */
export function CopyText({ text, what }: { text: string; what: string }) {
  const [said, setSaid] = useState<"" | "Copied" | "Press Ctrl+C to copy">("");
  const shown = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = async () => {
    clearTimeout(timer.current);
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      // Without HTTPS, or where it is forbidden, the browser keeps the clipboard from us: the text is selected for it.
      if (shown.current) getSelection()?.selectAllChildren(shown.current);
      setSaid("Press Ctrl+C to copy");
    }
    timer.current = setTimeout(() => setSaid(""), SAID_MS);
  };
  return (
    <span className={classes.box}>
      <button type="button" className={classes.copy} title={`Copy ${what}`} onClick={() => void copy()}>
        <span ref={shown} className={classes.text}>
          {text}
        </span>
        <span className="visually-hidden">, copy {what}</span>
        {said === "Copied" ? <CheckIcon /> : <CopyIcon />}
      </button>
      <span className={classes.said} role="status">
        {said}
      </span>
    </span>
  );
}
