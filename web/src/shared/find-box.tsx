import { useDebouncedValue } from "@mantine/hooks";
import { type KeyboardEvent, useId, useState } from "react";
import { SearchInput } from "../ui/fields/search-input.tsx";
import { Initials } from "../ui/initials.tsx";
import classes from "./find-box.module.css";

const WAIT_MS = 200;

export interface FindResult {
  /** Unique among the results. */
  id: string;
  name: string;
  image: string | null;
  /** Distinguishes results of the same name. */
  beside: string;
  open: () => void;
}

/** The text of a `FindBox`. `query` is the text to search for; it follows once the user pauses. */
export function useFindText() {
  const [text, setText] = useState("");
  const [query] = useDebouncedValue(text.trim(), WAIT_MS);
  return { text, setText, query };
}

interface FindBoxProps extends ReturnType<typeof useFindText> {
  label: string;
  /** Names the list of results: `Apps`. */
  list: string;
  /** The results so far, undefined before the first. */
  found: readonly FindResult[] | undefined;
  /** Whether the results belong to an earlier text. */
  isOlder: boolean;
  /** Shown instead of results. */
  nothing: string;
}

/** A search with results to open. Arrows choose, Enter opens, Escape closes. */
export function FindBox({ label, list, text, setText, query, found, isOlder, nothing }: FindBoxProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const shown = open && query !== "" && found !== undefined;
  // Results of an earlier text stay visible, but Enter applies to the current text.
  const busy = isOlder || query !== text.trim();

  const go = (result: FindResult | undefined) => {
    if (!result) return;
    setOpen(false);
    setText("");
    result.open();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") setOpen(false);
    if (!shown || found.length === 0) return;
    if (event.key === "Enter" && !busy) go(found[active]);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setActive((active + step + found.length) % found.length);
  };

  return (
    <div className={classes.box}>
      <SearchInput
        label={label}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={shown ? id : undefined}
        aria-activedescendant={shown && found.length > 0 ? `${id}-${active}` : undefined}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
      />
      {shown ? (
        <div id={id} role="listbox" aria-label={list} aria-busy={busy} className={classes.found}>
          {found.map((result, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the keys are the input's, which keeps the focus
            <div
              key={result.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              // Runs before the input loses the focus, which would close the list.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => go(result)}
            >
              <Initials name={result.name} image={result.image} size={22} />
              <span>{result.name}</span>
              <small>{result.beside}</small>
            </div>
          ))}
          {found.length === 0 ? <div role="status">{nothing}</div> : null}
        </div>
      ) : null}
    </div>
  );
}
