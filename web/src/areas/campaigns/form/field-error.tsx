import classes from "./form.module.css";

/** A message under something that is no input. */
export const FieldError = ({ text, id }: { text: string | undefined; id?: string }) =>
  text === undefined ? null : (
    <p id={id} className={classes.error} data-invalid="">
      {text}
    </p>
  );
