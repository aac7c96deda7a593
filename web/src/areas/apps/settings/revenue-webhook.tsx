import {
  loadingText,
  RevenueWebhookForm,
  type RevenueWebhook as Webhook,
  rewardKeys,
  VERIFY_DELIVERY,
} from "@millrace/contract";
import { formatCountExact } from "@millrace/units";
import { messageOf } from "../../../shared/call-api.ts";
import { formatMoment } from "../../../shared/day-text.ts";
import { HelpLink } from "../../../shared/help-link.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { SkeletonBar } from "../../../ui/states/skeletons.tsx";
import { WorkButton } from "../../../ui/work-button.tsx";
import { endOfCall, outcomeText } from "./outcome-text.ts";
import { SettingForm } from "./setting-form.tsx";
import classes from "./settings.module.css";
import { useRevenueWebhook, useSaveRevenueWebhook, useTestRevenueWebhook } from "./use-revenue-webhook.ts";
import { useSetting } from "./use-setting.ts";

const LIMIT_SECONDS = 10;

/** The server to which an app's impressions are posted with their revenue. */
export function RevenueWebhook({ uuid }: { uuid: string }) {
  const webhook = useRevenueWebhook(uuid);
  return (
    <Loaded query={webhook} loading={loadingText("revenue webhook")} skeleton={<SkeletonBar height="180px" />}>
      {(data) => <Form uuid={uuid} webhook={data} />}
    </Loaded>
  );
}

const isEmpty = (draft: string): boolean => draft.trim() === "";

function Form({ uuid, webhook }: { uuid: string; webhook: Webhook }) {
  const save = useSaveRevenueWebhook(uuid);
  const setting = useSetting({
    saved: webhook.url ?? "",
    revision: webhook.revision,
    check: (draft) =>
      isEmpty(draft) ? null : (RevenueWebhookForm.safeParse({ url: draft }).error?.issues[0]?.message ?? null),
    save: async (draft, revision) => {
      const now = await save.mutateAsync({ url: isEmpty(draft) ? null : draft.trim(), revision });
      return { saved: now.url ?? "", revision: now.revision };
    },
  });
  return (
    <SettingForm
      title="Revenue webhook"
      about="Your server gets a signed copy of each counted impression’s revenue, some seconds after it was counted."
      action="Save address"
      setting={setting}
    >
      <TextField
        name="url"
        label="Address for revenue"
        description="Empty for none; what waits is then dropped. It must be public and use https."
        placeholder="https://game.example/revenue"
        value={setting.draft}
        error={undefined}
        onChange={setting.change}
        autoComplete="off"
        inputMode="url"
        spellCheck={false}
        autoCapitalize="none"
        className={classes.wide ?? ""}
      />
      {webhook.url === null || setting.dirty ? null : <Deliveries uuid={uuid} webhook={webhook} />}
      <details className={classes.part}>
        <summary>How to verify a delivery</summary>
        <pre className={classes.snippet}>{VERIFY_DELIVERY}</pre>
        <p className={classes.faint}>
          <a href={rewardKeys.path}>Public keys</a>.{" "}
          <HelpLink to="publishers/revenue-webhook">What a delivery holds</HelpLink>
        </p>
      </details>
    </SettingForm>
  );
}

/** What became of the deliveries, and a test of the address. */
function Deliveries({ uuid, webhook }: { uuid: string; webhook: Webhook }) {
  const test = useTestRevenueWebhook(uuid);
  return (
    <div className={classes.part}>
      <p className={classes.faint}>{stateText(webhook)}</p>
      <WorkButton size="xs" variant="default" working={test.isPending} onClick={() => test.mutate()}>
        Send a test delivery
      </WorkButton>
      <p role="status" className={classes.faint}>
        {test.data ? endOfCall(test.data, LIMIT_SECONDS) : null}
        {test.error ? messageOf(test.error) : null}
      </p>
    </div>
  );
}

/** How far the deliveries have come, in sentences. */
function stateText(webhook: Webhook): string {
  const { delivered, given_up: givenUp, waiting, waiting_since: since, last_delivered_at: last } = webhook;
  const { last_failure: failure } = webhook;
  return [
    `${impressionsText(delivered)} delivered${last === null ? "" : `, the last on ${formatMoment(last)} UTC`}.`,
    since === null
      ? "None waits."
      : `${formatCountExact(waiting)} waiting, the oldest since ${formatMoment(since)} UTC.`,
    ...(givenUp > 0 ? [`${formatCountExact(givenUp)} given up after 3 days.`] : []),
    ...(failure
      ? [
          `The last try that failed: ${outcomeText(failure.outcome, LIMIT_SECONDS)}, on ${formatMoment(failure.at)} UTC.`,
        ]
      : []),
  ].join(" ");
}

const impressionsText = (count: number): string =>
  `${formatCountExact(count)} ${count === 1 ? "impression" : "impressions"}`;
