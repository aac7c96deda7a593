import { Suspense, lazy, useState } from "react";
import classes from "./fields.module.css";

export interface ChoiceFilterProps {
  /** The options in the plural: `formats`. */
  what: string;
  /** Id to label. */
  options: Readonly<Record<string, string>>;
  /** Keeps the order of the options; by default they are sorted by label. */
  inOrder?: boolean;
  /** Replaces the text of the button that takes every choice back. */
  clear?: string;
  /** Replaces the chip's default text. */
  text?: string;
  /** The choice does not filter, so it does not colour the chip. */
  quiet?: boolean;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

const loadList = () => import("./choice-list.tsx");
// The list and its positioning are as large as a page, and most visits never open one.
const ChoiceList = lazy(async () => ({ default: (await loadList()).ChoiceList }));

/** A filter by any number of values. Without a choice, nothing is filtered. */
export function ChoiceFilter(props: ChoiceFilterProps) {
  const [wasOpened, setWasOpened] = useState(false);
  const chip = (
    <button
      type="button"
      className={classes.chip}
      data-on={props.chosen.length > 0 && props.quiet !== true ? "" : undefined}
      aria-haspopup="listbox"
      aria-expanded={false}
      onPointerEnter={() => void loadList()}
      onFocus={() => void loadList()}
      onClick={() => setWasOpened(true)}
    >
      <ChipText {...props} />
    </button>
  );
  return (
    <span className={classes.choice} data-not-printed={props.quiet === true ? "" : undefined}>
      {wasOpened ? (
        <Suspense fallback={chip}>
          <ChoiceList {...props} />
        </Suspense>
      ) : (
        chip
      )}
      <Named {...props} />
    </span>
  );
}

/** On paper, all that is chosen: the chip has room for one. */
function Named({ options, chosen, text }: ChoiceFilterProps) {
  if (chosen.length < 2 || text !== undefined) return null;
  return (
    <span className={classes.named} data-only-printed>
      {chosen.map((id) => options[id] ?? id).join(", ")}
    </span>
  );
}

/** What is chosen. Screen readers are told of what. */
export const ChipText = (props: ChoiceFilterProps) =>
  props.text ?? (
    <>
      {props.chosen.length === 0 ? null : <span className="visually-hidden">{props.what}: </span>}
      {chosenText(props)}
    </>
  );

function chosenText({ what, options, chosen }: ChoiceFilterProps): string {
  const [first] = chosen;
  if (first === undefined) return `All ${what}`;
  const label = options[first] ?? first;
  return chosen.length === 1 ? label : `${label} +${chosen.length - 1}`;
}
