import { PLATFORM_LABELS, type Reply, TEXTS, type campaignAppInfo, notFoundText } from "@millrace/contract";
import { Suspense, lazy, useEffect, useRef, useState } from "react";
import { ApiError, messageOf } from "../../../shared/call-api.ts";
import { lookUpApp } from "../../../shared/look-up-app.ts";
import { ChoiceField } from "../../../ui/form/choice-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { Initials } from "../../../ui/initials.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { useTakenFocus } from "../../../ui/use-taken-focus.ts";
import { WorkButton } from "../../../ui/work-button.tsx";
import { askForApp } from "../api.ts";
import { type Draft, MOST_ADDRESS, isUrlOrId } from "./draft.ts";
import { FieldError } from "./field-error.tsx";
import classes from "./form.module.css";
import type { CampaignForm } from "./use-campaign-form.ts";

/** For an app whose store cannot be asked. */
const loadByHand = () => import("./app-by-hand.tsx");
const AppByHand = lazy(async () => ({ default: (await loadByHand()).AppByHand }));

type Found = NonNullable<Reply<typeof campaignAppInfo>["items"]>[number];
type State =
  | { is: "idle" | "searching" }
  | { is: "found"; items: Found[] }
  | { is: "failed"; message: string }
  | { is: "unreachable" };

const APP_FIELDS = ["url", "bundle_id", "store_id", "app_platform", "site"] as const;

/** The advertised app: found in its store by address or id, or entered by hand if the store is away. */
export function AppFinder({ form }: { form: CampaignForm }) {
  const { draft, set, errors } = form;
  const [changing, setChanging] = useState(false);
  const [takesFocus, setTakesFocus] = useState(false);
  const place = useRef<HTMLFieldSetElement>(null);
  const isChosen = draft.bundle_id !== "" && !draft.manual && !changing;
  const error = draft.manual ? undefined : APP_FIELDS.map((name) => errors[name]).find((text) => text !== undefined);
  const choose = (found: Found) => {
    setChanging(false);
    // A search takes a while, in which the user may have gone on to another field.
    const { activeElement } = document;
    setTakesFocus(activeElement === document.body || place.current?.contains(activeElement) === true);
    set(chosenApp(found, draft));
  };
  return (
    <fieldset ref={place} className={classes.bare} aria-label="Advertised app">
      {draft.manual ? null : APP_FIELDS.slice(1).map((name) => <input key={name} type="hidden" name={name} />)}
      {isChosen ? (
        <ChosenApp draft={draft} error={error} takesFocus={takesFocus} onChange={() => setChanging(true)} />
      ) : (
        <Search form={form} error={error} takesFocus={changing} onChoose={choose} />
      )}
      {draft.manual ? (
        <Suspense>
          <AppByHand form={form} />
        </Suspense>
      ) : null}
    </fieldset>
  );
}

/** The app's data, and what follows from it unless it was entered already: the name and the devices. */
function chosenApp({ name, platform, store_id, bundle_id, url, logo_url }: Found, draft: Draft): Partial<Draft> {
  return {
    manual: false,
    store_id,
    bundle_id,
    app_platform: platform,
    app_logo: logo_url,
    site: url.length <= MOST_ADDRESS ? url : "",
    name: draft.name === "" ? name.slice(0, MOST_ADDRESS) : draft.name,
    platform: platform === "ios" ? ["iphone", "ipad"] : ["android"],
  };
}

interface ChosenAppProps {
  draft: Draft;
  error: string | undefined;
  /** Takes the focus of the search, which it replaces. */
  takesFocus: boolean;
  onChange: () => void;
}

function ChosenApp({ draft, error, takesFocus, onChange }: ChosenAppProps) {
  const button = useTakenFocus<HTMLButtonElement>(takesFocus);
  const { store_id, bundle_id, app_platform, app_logo, name } = draft;
  return (
    <div>
      <span className={classes.label}>App</span>
      <p className={classes.above}>{app_platform === "ios" ? "In the App Store." : "In Google Play."}</p>
      <div className={classes.app}>
        <Initials name={name === "" ? bundle_id : name} image={app_logo} size={28} />
        <span>
          <b>{bundle_id}</b>
          {store_id === bundle_id ? null : <small>{store_id}</small>}
        </span>
        <LinkButton ref={button} onClick={onChange}>
          Change
        </LinkButton>
      </div>
      <FieldError text={error} />
    </div>
  );
}

interface SearchProps {
  form: CampaignForm;
  error: string | undefined;
  /** Takes the focus of the button that it replaces. */
  takesFocus: boolean;
  onChoose: (found: Found) => void;
}

function Search({ form, error, takesFocus, onChoose }: SearchProps) {
  const { draft, set } = form;
  const [state, setState] = useState<State>({ is: "idle" });
  const [refused, setRefused] = useState<string | null>(null);
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);

  const find = async () => {
    const url = draft.url.trim();
    const signal = leaving.current?.signal;
    if (state.is === "searching" || !signal) return;
    const wrong = url === "" ? TEXTS.required : isUrlOrId(url) ? null : TEXTS.incorrectUrlOrId;
    setRefused(wrong);
    if (wrong !== null) return;
    setState({ is: "searching" });
    try {
      const { items, reachable } = await lookUpApp(askForApp, url, signal);
      const fitting = items.filter(({ platform }) => platform === "ios" || platform === "android");
      if (signal.aborted) return;
      setState(reachable ? { is: "found", items: fitting } : { is: "unreachable" });
      if (reachable && fitting.length === 1 && fitting[0]) onChoose(fitting[0]);
      if (!reachable) {
        const { appOf } = await loadByHand();
        set(appOf(url));
      }
    } catch (failure) {
      if (signal.aborted) return;
      const field = failure instanceof ApiError ? failure.fields["url"] : undefined;
      setRefused(field ?? null);
      setState(field === undefined ? { is: "failed", message: messageOf(failure) } : { is: "idle" });
    }
  };

  return (
    <div>
      <div className={classes.finder}>
        <TextField
          {...form.field("url")}
          onChange={(url) => {
            set({ url });
            setRefused(null);
          }}
          error={refused ?? error}
          takesFocus={takesFocus}
          label="App"
          description="Its address or id in Google Play or the App Store."
          placeholder="com.example.app"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={500}
          readOnly={state.is === "searching"}
          onKeyDown={(event) => {
            // Enter looks the app up, and does not send the campaign.
            if (event.key !== "Enter") return;
            event.preventDefault();
            void find();
          }}
        />
        <WorkButton variant="default" working={state.is === "searching"} onClick={() => void find()}>
          Find
        </WorkButton>
      </div>
      <p className={classes.hint} role="status">
        {stateText(state)}
      </p>
      <p className={classes.error} role="alert">
        {state.is === "failed" ? state.message : null}
      </p>
      {state.is === "found" && state.items.length > 1 ? (
        <ChoiceField
          name="found"
          label="Found in the stores"
          inLines
          atOnce
          takesFocus
          value={undefined}
          error={undefined}
          onChange={(id) => {
            const found = state.items.find((item) => item.id === id);
            if (found) onChoose(found);
          }}
          options={state.items.map(({ id, name, logo_url, platform, url }) => ({
            value: id,
            label: name,
            hint: `${PLATFORM_LABELS[platform]} · ${url}`,
            mark: <Initials name={name} image={logo_url} size={32} />,
          }))}
        />
      ) : null}
    </div>
  );
}

function stateText(state: State): string {
  if (state.is === "searching") return "Searching the store. This can take up to 30 seconds.";
  if (state.is === "found" && state.items.length === 0) return notFoundText("apps");
  if (state.is === "unreachable")
    return "The store cannot be reached right now. Enter the app by hand, or try again later.";
  return "";
}
