import type { FirstStep } from "@millrace/contract";
import type { ReactNode } from "react";
import { CheckIcon, CrossIcon } from "../../ui/icons.tsx";
import { SupportText } from "../support-text.tsx";
import classes from "./first-steps.module.css";
import type { StepWords } from "./step-words.ts";

interface StepItemProps extends StepWords {
  nth: number;
  step: string;
  state: FirstStep["state"];
  isCurrent: boolean;
  /** What the user can do about it. */
  children: ReactNode;
}

const STATE_WORDS = { done: "Done: ", waiting: "Waiting: ", todo: "To do: ", failed: "Failed: " } as const;

/** One of the first steps: its state, what it is about, and what to do. */
export function StepItem({ nth, step, state, title, text, isCurrent, children }: StepItemProps) {
  return (
    <li className={classes.step} data-step={step} data-state={state} aria-current={isCurrent ? "step" : undefined}>
      <span className={classes.mark} aria-hidden="true">
        {state === "done" ? <CheckIcon /> : state === "failed" ? <CrossIcon /> : nth}
      </span>
      <span className={classes.words}>
        <span className={classes.title}>
          <span className="visually-hidden">{STATE_WORDS[state]}</span>
          {title}
        </span>
        <span className={classes.text}>
          <SupportText text={text} />
        </span>
      </span>
      <span className={classes.action}>{children}</span>
    </li>
  );
}
