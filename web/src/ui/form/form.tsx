import { Button } from "@mantine/core";
import { type ComponentProps, type ReactNode, useContext } from "react";
import { WorkButton } from "../work-button.tsx";
import classes from "./form.module.css";
import { Unsaved } from "./unsaved.ts";

/** A form with stacked fields. Validation bubbles of the browser are off, because fields show their own messages. */
export function Form(props: Omit<ComponentProps<"form">, "noValidate" | "className">) {
  return <form {...props} noValidate className={classes.form} />;
}

interface SubmitProps {
  children: ReactNode;
  pending: boolean;
  /** An error of the whole form, shown under the button. */
  message: ReactNode;
  danger?: boolean;
  /** For a form beside one that the page is for. */
  quiet?: boolean;
  /** Adds a Cancel button. In a dialog, it asks before unsaved changes are lost. */
  onCancel?: () => void;
  /** Another control next to the button. */
  beside?: ReactNode;
}

/** The submit button, with an error message below. */
export function Submit({ children, pending, message, danger = false, quiet = false, onCancel, beside }: SubmitProps) {
  const { close } = useContext(Unsaved);
  return (
    <div className={classes.submit}>
      <div className={classes.buttons}>
        <WorkButton
          type="submit"
          working={pending}
          {...(danger ? { color: "var(--danger-fill)" } : {})}
          {...(quiet ? { variant: "default" } : {})}
        >
          {children}
        </WorkButton>
        {onCancel ? (
          <Button variant="default" onClick={() => close(onCancel)}>
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
