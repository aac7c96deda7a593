import { TEXTS } from "@millrace/contract";
import { RemoveSamples } from "../../../shared/apps/remove-samples.tsx";
import classes from "./samples-note.module.css";

/** Says above the list that sample apps are among it, and takes them away. */
export const SamplesNote = () => (
  <div className={classes.note}>
    <p role="note">{TEXTS.sampleFigures}</p>
    <RemoveSamples />
  </div>
);
