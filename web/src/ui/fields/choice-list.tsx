import { Combobox, type ComboboxStore, useCombobox } from "@mantine/core";
import "@mantine/core/styles/ScrollArea.layer.css";
import "@mantine/core/styles/Popover.layer.css";
import "@mantine/core/styles/Combobox.layer.css";
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { type ChoiceFilterProps, ChipText } from "./choice-filter.tsx";
import classes from "./fields.module.css";

/** With more options than this, the list has a search box. */
const SEARCH_FROM = 8;

/** Escape closes the list, and not the dialog around it. */
const ESCAPE_IS_OURS = { "data-mantine-stop-propagation": true } as const;

/** Moves to another option and returns its id. */
type Step = (list: ComboboxStore) => string | null;

const STEPS = new Map<string, Step | "choose">([
  ["ArrowDown", (list) => list.selectNextOption()],
  ["ArrowUp", (list) => list.selectPreviousOption()],
  ["Home", (list) => list.selectFirstOption()],
  ["End", (list) => (list.selectFirstOption(), list.selectPreviousOption())],
  ["Enter", "choose"],
  [" ", "choose"],
]);

/** The chip of a filter with its list, initially open because the chip was just pressed. */
export function ChoiceList(props: ChoiceFilterProps) {
  const { what, options, inOrder = false, chosen, onChange, quiet = false, clear = `Show all ${what}` } = props;
  const [search, setSearch] = useState("");
  const [active, setActive] = useState<string | null>(null);
  const count = Object.keys(options).length;
  const searchable = count >= SEARCH_FROM && !quiet;
  const chip = useRef<HTMLButtonElement>(null);
  const dropdown = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  // Screen readers read the options only of the focused search box or list, not of a button.
  const focusList = () => setTimeout(() => list.current?.focus({ preventScroll: true }));
  const combobox = useCombobox({
    defaultOpened: true,
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setActive(null);
      setSearch("");
      // A click into another field closes the list, and keeps the focus there.
      setTimeout(() => {
        const focused = document.activeElement;
        if (focused === document.body || dropdown.current?.contains(focused)) combobox.focusTarget();
      });
    },
    onDropdownOpen: () => {
      if (searchable) combobox.focusSearchInput();
      else focusList();
    },
  });
  const first = useRef(combobox);
  useEffect(() => {
    // Replaces the plain chip, which had the focus.
    first.current.focusTarget();
    if (searchable) first.current.focusSearchInput();
    else focusList();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the list takes the chip's place
  }, []);
  const toggle = (id: string) => {
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  };
  const walk = (event: KeyboardEvent) => {
    const step = STEPS.get(event.key);
    if (step === undefined) return;
    event.preventDefault();
    if (step === "choose") combobox.clickSelectedOption();
    else setActive(step(combobox));
  };
  const leave = ({ relatedTarget: next }: FocusEvent) => {
    if (next === null || next === chip.current || dropdown.current?.contains(next) === true) return;
    combobox.closeDropdown();
  };
  const found = optionsFound(options, chosen, search);
  const shown = inOrder ? found : found.toSorted(([, a], [, b]) => a.localeCompare(b));

  return (
    <Combobox
      store={combobox}
      width={240}
      position="bottom-start"
      shadow="none"
      withinPortal={false}
      onOptionSubmit={toggle}
      classNames={{ dropdown: classes.dropdown, option: classes.option, search: classes.optionSearch }}
    >
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <button
          ref={chip}
          type="button"
          className={classes.chip}
          data-on={chosen.length > 0 && !quiet ? "" : undefined}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          {...(combobox.dropdownOpened && ESCAPE_IS_OURS)}
          onClick={() => combobox.toggleDropdown()}
          onBlur={leave}
        >
          <ChipText {...props} />
        </button>
      </Combobox.Target>
      <Combobox.Dropdown ref={dropdown} onBlur={leave}>
        {searchable ? (
          <Combobox.Search
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value);
              combobox.updateSelectedOptionIndex();
            }}
            placeholder={`Search ${what}`}
            aria-label={`Search ${what}`}
          />
        ) : null}
        <Combobox.Options
          ref={list}
          className={classes.options}
          aria-label={what}
          aria-multiselectable="true"
          aria-activedescendant={active ?? undefined}
          tabIndex={0}
          {...ESCAPE_IS_OURS}
          onKeyDown={walk}
        >
          {shown.map(([id, label]) => (
            <Combobox.Option key={id} value={id} active={chosen.includes(id)} aria-selected={chosen.includes(id)}>
              <span className={classes.tick} data-on={chosen.includes(id) ? "" : undefined} aria-hidden="true" />
              {label}
            </Combobox.Option>
          ))}
          {found.length === 0 ? <Combobox.Empty>{`No ${what} found`}</Combobox.Empty> : null}
        </Combobox.Options>
        {chosen.length > 0 && !(quiet && chosen.length === count) ? (
          <Combobox.Footer>
            <button type="button" className={classes.clear} {...ESCAPE_IS_OURS} onClick={() => onChange([])}>
              {clear}
            </button>
          </Combobox.Footer>
        ) : null}
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** Keeps chosen values that are no longer known, by id, so that they can be removed. */
function optionsFound(options: Readonly<Record<string, string>>, chosen: readonly string[], search: string) {
  const unknown = chosen.filter((id) => options[id] === undefined).map((id) => [id, id] as const);
  const wanted = plain(search.trim());
  return [...unknown, ...Object.entries(options)].filter(
    ([id, label]) => plain(label).includes(wanted) || plain(id) === wanted,
  );
}

/** In small letters without marks, so that `ile` finds Île-de-France. */
const plain = (text: string): string => text.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");
