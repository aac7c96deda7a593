import { Button } from "@mantine/core";
import {
  INSTALL,
  type Measurement,
  type NewSecret,
  POSTBACK_OUTCOMES,
  POSTBACK_OUTCOME_TEXTS,
  type PostbackLine,
  campaignMeasurement,
  loadingText,
  rotatePostbackSecret,
  testPostback,
} from "@millrace/contract";
import { formatCountExact } from "@millrace/units";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../../shared/call-api.ts";
import { formatMoment } from "../../../shared/day-text.ts";
import { CopyText } from "../../../ui/copy-text.tsx";
import { ConfirmModal } from "../../../ui/modal/confirm-modal.tsx";
import { useErrorWords } from "../../../ui/states/error-words.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { WorkButton } from "../../../ui/work-button.tsx";
import { LIVE_MS } from "../api.ts";
import classes from "./form.module.css";
import own from "./measurement.module.css";
import { type Provider, postbackFor } from "./providers.ts";

/** What an advertiser's own server knows, and a secret that is not shown any more. */
const OWN = "…";

/** The calls about a campaign's postbacks; an in-house campaign has its own. */
export interface PostbackCalls {
  load: (uuid: string, signal: AbortSignal) => Promise<Measurement>;
  test: (uuid: string) => Promise<unknown>;
  rotate: () => Promise<NewSecret>;
}

const OF_CAMPAIGNS: PostbackCalls = {
  load: (id, signal) => callApi(campaignMeasurement, { params: { id }, signal }),
  test: (id) => callApi(testPostback, { params: { id } }),
  rotate: () => callApi(rotatePostbackSecret, {}),
};

/** A campaign's address for postbacks and what came of them. */
export const measurementQuery = (uuid: string, calls = OF_CAMPAIGNS) =>
  queryOptions({
    queryKey: ["campaign measurement", uuid],
    queryFn: ({ signal }) => calls.load(uuid, signal),
  });

interface PostbacksProps {
  uuid: string;
  provider: Provider | undefined;
  /** The event that counts as a conversion. */
  goal?: string;
  calls?: PostbackCalls;
}

/** The address for postbacks, and what became of the latest ones. */
export function Postbacks({ uuid, provider, goal = INSTALL, calls = OF_CAMPAIGNS }: PostbacksProps) {
  const measurement = useQuery({
    ...measurementQuery(uuid, calls),
    refetchInterval: ({ state }) => state.data !== undefined && LIVE_MS,
  });
  return (
    <Loaded query={measurement} loading={loadingText("postbacks")} skeleton={<RowsSkeleton rows={4} height={36} />}>
      {(data) => <PostbackDetails uuid={uuid} data={data} provider={provider} goal={goal} calls={calls} />}
    </Loaded>
  );
}

interface ShownProps extends Required<PostbacksProps> {
  data: Measurement;
}

function PostbackDetails({ uuid, data, provider, goal, calls }: ShownProps) {
  const client = useQueryClient();
  const words = useErrorWords();
  const [isRotating, setRotating] = useState(false);
  // Shown until the page is left, and never again.
  const [secret, setSecret] = useState<string | null>(null);
  const reload = () => client.invalidateQueries({ queryKey: measurementQuery(uuid, calls).queryKey });
  const send = useMutation({ mutationFn: () => calls.test(uuid), onSettled: reload });
  const make = useMutation({
    mutationFn: async () => {
      send.reset();
      setSecret((await calls.rotate()).secret);
      await reload();
    },
  });
  const addressFor = (event: string) =>
    postbackFor(data.postback_url, secret ?? OWN, { click_id: provider?.postback.click_id ?? OWN, event });
  return (
    <section className={own.postbacks} aria-label="Postbacks">
      <div>
        <p className={classes.label}>{provider ? "Postback address for installs" : "Postback address"}</p>
        <CopyText text={addressFor(provider ? INSTALL : goal)} what="the postback address" />
      </div>
      {provider ? (
        <div>
          <p className={classes.label}>Postback address for other events</p>
          <CopyText text={addressFor(provider.postback.event)} what="the address for other events" />
        </div>
      ) : null}
      <p className={classes.hint} aria-live="polite">
        {secretText(secret !== null, data.secret_since)}
      </p>
      <div className={own.buttons}>
        <WorkButton type="button" variant="default" size="xs" working={send.isPending} onClick={() => send.mutate()}>
          Send a test postback
        </WorkButton>
        {/* One button for both, so that it keeps the focus. */}
        <WorkButton
          type="button"
          variant="default"
          size="xs"
          working={make.isPending}
          onClick={() => (data.secret_since === null ? make.mutate() : setRotating(true))}
        >
          {data.secret_since === null ? "Make a secret" : "Replace the secret"}
        </WorkButton>
      </div>
      <p className={own.said} role="status">
        {send.isSuccess ? "The test postback was accepted. Nothing is counted for it." : null}
      </p>
      <p className={classes.error} role="alert">
        {send.isError ? words.plain(send.error) : make.isError ? words.plain(make.error) : null}
      </p>
      <Counts counts={data.counts} />
      {OF_ACCOUNT.some((outcome) => (data.counts[outcome] ?? 0) > 0) ? (
        <p className={classes.hint}>
          A postback with a wrong secret or click id names no campaign: it is listed with all of the account.
        </p>
      ) : null}
      <Lines lines={data.postbacks} />
      {data.postbacks.some(({ outcome, test, event }) => outcome === "accepted" && !test && event !== goal) ? (
        <p className={own.unconfirmed}>
          {`This campaign counts “${goal}” alone. Other events are accepted, and are no conversions; capitals make another event.`}
        </p>
      ) : null}
      <ConfirmModal
        opened={isRotating}
        onClose={() => setRotating(false)}
        title="Replace the secret?"
        confirm="Replace the secret"
        onConfirm={() => make.mutateAsync()}
      >
        Postbacks with the former secret are refused at once, for all campaigns of this account, until your attribution
        provider has the new address.
      </ConfirmModal>
    </section>
  );
}

function secretText(isShown: boolean, since: string | null): string {
  if (isShown)
    return "Copy the address now: the secret is not shown again. Whoever knows it can report conversions of all your campaigns.";
  return since === null
    ? "Make a secret to complete the address. It proves that postbacks are yours, and is shown once."
    : `The secret was made on ${formatMoment(since)} UTC and is not shown again: put it where the address ends with ${OWN}, or replace it.`;
}

/** Refusals of postbacks whose campaign cannot be told. */
const OF_ACCOUNT = ["unauthorized", "malformed", "unknown_click"] as const satisfies PostbackLine["outcome"][];

function Counts({ counts }: { counts: Measurement["counts"] }) {
  const known = POSTBACK_OUTCOMES.filter((outcome) => (counts[outcome] ?? 0) > 0);
  if (known.length === 0) return null;
  return (
    <div>
      <p className={classes.label}>In the last 30 days</p>
      <ul className={own.counts} aria-label="Postbacks of the last 30 days">
        {known.map((outcome) => (
          <li key={outcome} data-kind={outcome === "accepted" ? "good" : "bad"}>
            <b>{formatCountExact(counts[outcome] ?? 0)}</b> <span>{POSTBACK_OUTCOME_TEXTS[outcome]}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const FIRST_LINES = 8;
const AFTER = { click: "Click", view: "View" } as const;

function Lines({ lines }: { lines: readonly PostbackLine[] }) {
  const [isOpen, setOpen] = useState(false);
  if (lines.length === 0)
    return <p className={classes.hint}>No postback has arrived yet. The latest ones will be listed here.</p>;
  const shown = isOpen ? lines : lines.slice(0, FIRST_LINES);
  return (
    <>
      <table className={own.lines}>
        <caption className="visually-hidden">The latest postbacks</caption>
        <thead>
          <tr>
            <th scope="col">Time (UTC)</th>
            <th scope="col">Event</th>
            <th scope="col">After</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ id, at, event, transaction_id, kind, outcome, test }) => (
            <tr key={id}>
              <td>{formatMoment(at)}</td>
              <td>
                {event === "" ? "–" : event}
                {transaction_id === "" ? null : <small>{transaction_id}</small>}
              </td>
              <td>{kind === null ? "–" : AFTER[kind]}</td>
              <td data-kind={outcome === "accepted" ? "good" : "bad"}>
                {POSTBACK_OUTCOME_TEXTS[outcome]}
                {test ? " (test)" : ""}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > FIRST_LINES ? (
        <Button type="button" variant="subtle" size="xs" onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show fewer" : `Show ${lines.length - FIRST_LINES} more`}
        </Button>
      ) : null}
    </>
  );
}
