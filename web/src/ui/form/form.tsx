import { Button } from "@mantine/core";
import type { ComponentProps, ReactNode } from "react";
import { WorkButton } from "../work-button.tsx";
import classes from "./form.module.css";

/** The fields of a form below each other, and at its end its button. The browser's own bubbles stay away: we have our words. */
export function Form(props: Omit<ComponentProps<"form">, "noValidate" | "className">) {
  return <form {...props} noValidate className={classes.form} />;
}

interface SubmitProps {
  children: ReactNode;
  pending: boolean;
  /** What is wrong with the whole; stands under the button. */
  message: ReactNode;
  danger?: boolean;
  /** Puts a Cancel beside it. */
  onCancel?: () => void;
  /** Another way out beside it. */
  beside?: ReactNode;
}

/** The button that sends the form, and under it what went wrong. */
export function Submit({ children, pending, message, danger = false, onCancel, beside }: SubmitProps) {
  return (
    <div className={classes.submit}>
      <div className={classes.buttons}>
        <WorkButton type="submit" working={pending} {...(danger ? { color: "var(--danger-fill)" } : {})}>
          {children}
        </WorkButton>
        {onCancel ? (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        ) : null}
        {beside}
      </div>
      <p className={classes.general} role="alert">
        {message}
      </p>
    </div>
  );
}
