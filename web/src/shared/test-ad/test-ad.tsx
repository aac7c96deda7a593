import {
  type AppIdentity,
  FORMAT_LABELS,
  FORMATS,
  SDK_STATUS_TEXTS,
  type TestAdReply,
  testAd,
} from "@millrace/contract";
import { formatCpm } from "@millrace/units";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { SelectField } from "../../ui/form/select-field.tsx";
import { WorkButton } from "../../ui/work-button.tsx";
import { callApi, messageOf } from "../call-api.ts";
import { PATHS } from "../paths.ts";
import { useMayUse } from "../session.ts";
import { adDocument } from "./ad-document.ts";
import { AdPreview } from "./ad-preview.tsx";
import classes from "./test-ad.module.css";

interface TestAdProps {
  app: Pick<AppIdentity, "uuid" | "sdk_status" | "sdk_status_class">;
  /** The app's zones; without any, a test asks for a format. */
  zones?: readonly { zone: string; name: string; format: (typeof FORMATS)[number] }[];
}

/** Sends a test ad of the app, and shows it with the auction's answer. */
export function TestAd({ app, zones = NO_ZONES }: TestAdProps) {
  const may = useMayUse();
  const choices = useMemo(() => choicesOf(zones), [zones]);
  const [chosen, setChosen] = useState(choices[0]?.value ?? "");
  const send = useMutation({
    mutationFn: () => {
      const { body } = choices.find(({ value }) => value === chosen) ?? choices[0] ?? FALLBACK;
      return callApi(testAd, { params: { id: app.uuid }, body });
    },
  });
  if (!may("instructions.read")) return null;
  return (
    <div className={classes.test}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate();
        }}
      >
        <SelectField
          label="Ad to test"
          name="ad"
          error={undefined}
          options={choices}
          value={chosen}
          onChange={setChosen}
        />
        <WorkButton type="submit" variant="default" working={send.isPending}>
          Send a test ad
        </WorkButton>
      </form>
      <p className={classes.about}>
        A real auction that is marked as a test: bidders know, and nothing is counted or paid.
      </p>
      <div role="status" className={classes.answer}>
        {send.data ? <Answer key={send.data.auction} app={app} answer={send.data} /> : null}
      </div>
      <p role="alert" className={classes.error}>
        {send.isError ? messageOf(send.error) : null}
      </p>
    </div>
  );
}

const NO_ZONES: NonNullable<TestAdProps["zones"]> = [];
const FALLBACK = { value: "", label: "", body: { format: FORMATS[0] } };

/** The app's zones first, then each format. */
const choicesOf = (zones: NonNullable<TestAdProps["zones"]>) => [
  ...zones.map(({ zone, name, format }) => ({
    value: `zone ${zone}`,
    label: `${name} (${FORMAT_LABELS[format]})`,
    body: { format, zone },
  })),
  ...FORMATS.map((format) => ({ value: `format ${format}`, label: FORMAT_LABELS[format], body: { format } })),
];

function Answer({ app, answer }: { app: TestAdProps["app"]; answer: TestAdReply }) {
  const { ad, no_ad, duration_ms, auction } = answer;
  const shown = useMemo(() => (ad === null ? null : adDocument(ad)), [ad]);
  const took = `${Math.round(duration_ms)} ms`;
  return (
    <>
      <p className={classes.sentence} data-won={ad === null ? undefined : ""}>
        {ad === null
          ? `No ad, ${took}: ${no_ad?.text ?? ""}.`
          : `${ad.name} won with ${formatCpm(ad.price)} CPM, ${took}`}{" "}
        <Link to={PATHS.auction} params={{ id: auction }}>
          Show the auction
        </Link>
      </p>
      {ad === null ? <p className={classes.about}>{nextStep(no_ad?.code, app)}</p> : null}
      {shown === null ? null : <AdPreview ad={shown} />}
      {ad !== null && shown === null ? (
        <p className={classes.about}>This ad names media at another server, which only a player fetches.</p>
      ) : null}
    </>
  );
}

/** What to do about a reason of no ad. */
function nextStep(code: string | undefined, { sdk_status, sdk_status_class }: TestAdProps["app"]): string | null {
  if (code === "app_not_live") {
    return sdk_status === "bad" ? SDK_STATUS_TEXTS.bad : sdk_status_class === "warning" ? SDK_STATUS_TEXTS.check : null;
  }
  if (code === "no_partner_ready")
    return "Connect demand: a partner bids once the app has its keys and it is switched on.";
  if (code === "no_demand" || code === "timeout")
    return "Partners do not buy every request. Try again, or another format.";
  return null;
}
