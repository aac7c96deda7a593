import classes from "./read-only-note.module.css";

/** Says to a role that may only look at something why there is nothing to press. */
export const ReadOnlyNote = ({ what }: { what: string }) => (
  <p className={classes.note}>Your role may look at {what}; it may not change them.</p>
);
