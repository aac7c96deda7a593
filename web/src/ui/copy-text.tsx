import { useRef } from "react";
import classes from "./copy-text.module.css";
import { CheckIcon, CopyIcon } from "./icons.tsx";
import { useCopying } from "./use-copying.ts";

/** A text that a click copies; `what` names it for screen readers. */
export function CopyText({ text, what }: { text: string; what: string }) {
  const shown = useRef<HTMLSpanElement>(null);
  const [status, copy] = useCopying(() => {
    if (shown.current) getSelection()?.selectAllChildren(shown.current);
  });
  return (
    <span className={classes.box}>
      <button type="button" className={classes.copy} title={`Copy ${what}`} onClick={() => void copy(text)}>
        <span ref={shown} className={classes.text}>
          {text}
        </span>
        <span className="visually-hidden">, copy {what}</span>
        {status === "Copied" ? <CheckIcon /> : <CopyIcon />}
      </button>
      <span className={classes.said} role="status">
        {status}
      </span>
    </span>
  );
}
