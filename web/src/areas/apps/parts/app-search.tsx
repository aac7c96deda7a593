import { useDebouncedValue } from "@mantine/hooks";
import { PLATFORM_LABELS, notFoundText } from "@millrace/contract";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useState } from "react";
import { PATHS } from "../../../shared/paths.ts";
import { SearchInput } from "../../../ui/fields/search-input.tsx";
import { Initials } from "../../../ui/initials.tsx";
import { useAllAccountsSearch, useAppSearch } from "../find-apps.ts";
import classes from "./parts.module.css";

const WAIT_MS = 200;

interface Found {
  uuid: string;
  name: string;
  logo_url: string | null;
  /** Distinguishes apps of the same name. */
  beside: string;
  open: () => void;
}

/**
 * Finds an app from any page and opens its statistics. Admins search all accounts and get to the admin list, where they
 * can impersonate the owner. Arrows choose, Enter opens, Escape closes.
 */
export function AppSearch({ ofAllAccounts = false }: { ofAllAccounts?: boolean }) {
  const id = useId();
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const [wanted] = useDebouncedValue(text.trim(), WAIT_MS);
  const { found, isOlder } = useFound(wanted, ofAllAccounts);
  const shown = open && wanted !== "" && found !== undefined;
  // Results of an earlier text stay visible, but Enter applies to the current text.
  const busy = isOlder || wanted !== text.trim();

  const go = (app: Found | undefined) => {
    if (!app) return;
    setOpen(false);
    setText("");
    app.open();
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
    <div className={classes.search}>
      <SearchInput
        label="Search app"
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
        <div id={id} role="listbox" aria-label="Apps" aria-busy={busy} className={classes.found}>
          {found.map((app, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the keys are the input's, which keeps the focus
            <div
              key={app.uuid}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              // Runs before the input loses the focus, which would close the list.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => go(app)}
            >
              <Initials name={app.name} image={app.logo_url} size={22} />
              <span>{app.name}</span>
              <small>{app.beside}</small>
            </div>
          ))}
          {found.length === 0 ? <div role="status">{notFoundText("apps")}</div> : null}
        </div>
      ) : null}
    </div>
  );
}

/** The results so far, undefined before the first, and whether they belong to an earlier text. */
function useFound(search: string, ofAllAccounts: boolean): { found: Found[] | undefined; isOlder: boolean } {
  const own = useAppSearch(ofAllAccounts ? "" : search);
  const all = useAllAccountsSearch(ofAllAccounts ? search : "");
  const navigate = useNavigate();
  if (ofAllAccounts) {
    const found = all.data?.map(({ uuid, name, logo_url, bundle_id: bundle, owner }) => ({
      uuid,
      name,
      logo_url,
      beside: owner.email,
      open: () => void navigate({ to: PATHS.adminApps, search: { search: bundle === "" ? name : bundle } }),
    }));
    return { found, isOlder: all.isPlaceholderData };
  }
  const found = own.data?.map(({ uuid, name, logo_url, platform }) => ({
    uuid,
    name,
    logo_url,
    beside: PLATFORM_LABELS[platform],
    open: () => void navigate({ to: PATHS.appPerformance, params: { uuid }, search: {} }),
  }));
  return { found, isOlder: own.isPlaceholderData };
}
