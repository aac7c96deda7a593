import {
  CAMPAIGN_FORMAT_LABELS,
  CREATIVE_DECISIONS,
  PLATFORM_LABELS,
  type ReviewedCreative,
  type VideoFacts,
} from "@millrace/contract";
import { useMemo, useState } from "react";
import { countryName } from "../../../shared/countries.ts";
import { formatMoment } from "../../../shared/day-text.ts";
import { type Search, oneOf } from "../../../shared/filters/address.ts";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useDialog } from "../../../ui/modal/use-dialog.ts";
import { NameOverLine } from "../../../ui/name-over-line.tsx";
import { Segments } from "../../../ui/segments.tsx";
import type { Column } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { creativesQuery, useModerateCreative } from "../api.ts";
import { AdminPage } from "../parts/admin-page.tsx";
import { CreativeFindings, type Findings } from "../parts/creative-findings.tsx";
import { DecisionForm } from "../parts/decision-form.tsx";
import { ModerationTabs } from "../parts/moderation-tabs.tsx";
import classes from "../parts/parts.module.css";
import { durationSince } from "../duration-since.ts";

interface Decision {
  creative: ReviewedCreative;
  decision: "approve" | "block";
}

type Decided = (typeof CREATIVE_DECISIONS)[number];

interface Address {
  decision: Exclude<Decided, "waiting"> | undefined;
  p?: number | undefined;
}

function readDecision(search: Search): Address {
  const decision = oneOf(CREATIVE_DECISIONS, search["decision"], "waiting");
  return { decision: decision === "waiting" ? undefined : decision };
}

const DECISION_LABELS = { waiting: "Waiting", approved: "Approved", blocked: "Blocked" } as const satisfies Record<
  Decided,
  string
>;
const WHY_EMPTY = {
  waiting: "No creative is waiting for review.",
  approved: "No creative is approved.",
  blocked: "No creative is blocked.",
} as const satisfies Record<Decided, string>;

/** Creatives that need approval before they can be shown, and decided ones, whose decision can be changed. */
export function AdminCreativesPage() {
  const [{ decision = "waiting" }, change] = useAddress(readDecision);
  const { subject, opened, open, close } = useDialog<Decision>();
  const columns = useMemo(() => creativeColumns(decision, open), [decision, open]);
  return (
    <AdminPage
      title="Moderation: creatives"
      content="creatives"
      searchLabel="Search campaign, store id or owner"
      whyEmpty={WHY_EMPTY[decision]}
      listQuery={(query) => creativesQuery({ ...query, decision })}
      rowsOf={({ creatives }) => creatives}
      rowId={({ c_id }) => c_id}
      columns={columns}
      above={
        <>
          <ModerationTabs />
          <div className={classes.lists}>
            <Segments
              label="Decision"
              options={CREATIVE_DECISIONS.map((id) => ({ id, label: DECISION_LABELS[id] }))}
              chosen={decision}
              onChoose={(next) => change({ decision: next === "waiting" ? undefined : next, p: undefined })}
            />
          </div>
        </>
      }
    >
      <Modal opened={opened} onClose={close} width={560} title={titleOf(subject?.decision)}>
        {subject ? <Review {...subject} onDone={close} /> : null}
      </Modal>
    </AdminPage>
  );
}

const titleOf = (decision: Decision["decision"] = "approve") =>
  decision === "block" ? "Block creative" : "Approve creative";

const creativeColumns = (decided: Decided, onDecide: (decision: Decision) => void): Column<ReviewedCreative>[] => [
  { id: "creative", head: "Creative", cell: (creative) => <CreativeCell creative={creative} /> },
  { id: "click", head: "Click URL", cell: ({ click_url }) => <Address text={click_url} /> },
  { id: "owner", head: "Owner", cell: ({ owner }) => <NameOverLine name={owner.name} line={owner.email} /> },
  decided === "waiting"
    ? {
        id: "waiting",
        head: "Waiting for",
        leads: true,
        cell: ({ waiting_since }) => durationSince(waiting_since, Date.now()),
        exact: ({ waiting_since }) => `since ${formatMoment(waiting_since)} UTC`,
      }
    : {
        id: "decided",
        head: "Decided",
        leads: true,
        cell: ({ decided_at }) => (decided_at === null ? "" : `${formatMoment(decided_at)} UTC`),
      },
  actionsColumn((creative) => (
    <>
      <RowAction
        // Of an approved one, what was found of it can be changed.
        label={decided === "approved" ? "Change" : "Approve"}
        of={nameOf(creative)}
        primary={decided === "waiting"}
        onClick={() => onDecide({ creative, decision: "approve" })}
      />
      {decided === "blocked" ? null : (
        <RowAction label="Block" of={nameOf(creative)} onClick={() => onDecide({ creative, decision: "block" })} />
      )}
    </>
  )),
];

const nameOf = ({ store_id, campaign }: ReviewedCreative) => `${store_id} of ${campaign}`;

const kindOf = ({ format, image, status }: ReviewedCreative) =>
  `${CAMPAIGN_FORMAT_LABELS[format]}, ${image.width} × ${image.height}, ${status}`;

const videoText = ({ duration_ms, codecs, plays }: VideoFacts, skipTimer: number) =>
  [
    `${Math.round(duration_ms / 1000)} s`,
    codecs,
    skipTimer === 0 ? "cannot be skipped" : `can be skipped after ${skipTimer} s`,
    ...(plays ? [] : ["most devices cannot play it"]),
  ].join(", ");

function CreativeCell({ creative }: { creative: ReviewedCreative }) {
  const { campaign, image } = creative;
  return (
    <span className={classes.app}>
      {image.video ? (
        <video className={classes.thumb} src={image.url} muted playsInline preload="metadata" />
      ) : (
        <img className={classes.thumb} src={image.url} alt="" loading="lazy" />
      )}
      <NameOverLine name={campaign} line={kindOf(creative)} />
    </span>
  );
}

/** Strangers' addresses are text: a moderator never opens one by mistake. */
const Address = ({ text }: { text: string }) => (
  <span className={`${classes.cut} ${classes.address}`} title={text}>
    {text}
  </span>
);

/** The creative as it would be shown, everything that it calls, and the decision. */
function Review({ creative, decision, onDone }: Decision & { onDone: () => void }) {
  const moderate = useModerateCreative();
  const [found, setFound] = useState<Findings>({
    categories: creative.categories,
    forChildren: creative.for_children,
  });
  const { app, c_id, campaign, owner, store_id, country, cta, title, skip_timer, image } = creative;
  const { waiting_since, decided_at } = creative;
  const blocks = decision === "block";
  const marks = blocks ? {} : { categories: found.categories, for_children: found.forChildren };
  const facts = [
    ["Campaign", campaign],
    ["App", `${app.bundle_id}, ${PLATFORM_LABELS[app.platform]}`],
    ["App's store id", app.store_id],
    ["Creative", kindOf(creative)],
    ["Store id", store_id],
    ["Store country", country === "" ? "" : countryName(country)],
    ["Button text", cta],
    ["Headline", title],
    ["Video", image.video ? videoText(image.video, skip_timer) : ""],
    // Its codecs name a sound after the picture.
    ["Sound", image.video?.codecs.includes(",") ? "Off until you turn it on" : ""],
    ["Click URL", creative.click_url],
    ["Click link", creative.click_link],
    ["Tracking URL", creative.tracking_url],
    ["View link", creative.view_link],
  ].filter(([, value]) => value !== "");
  return (
    <>
      {image.video ? (
        // Without sound until the moderator turns it on.
        <video
          className={classes.creative}
          src={image.url}
          aria-label={`The creative of ${campaign}`}
          controls
          muted
          playsInline
          preload="metadata"
        />
      ) : (
        <img className={classes.creative} src={image.url} alt={`The creative of ${campaign}`} />
      )}
      <dl className={classes.facts}>
        {app.logo_url === null ? null : (
          <div style={{ display: "contents" }}>
            <dt>Icon</dt>
            <dd>
              <img className={classes.icon} src={app.logo_url} alt={`The icon of ${app.bundle_id}`} />
            </dd>
          </div>
        )}
        {facts.map(([name, value]) => (
          <div key={name} style={{ display: "contents" }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <DecisionForm
        about={blocks ? "The creative will not be shown." : "The creative may be shown."}
        ownerEmail={owner.email}
        refuses={blocks}
        action={titleOf(decision)}
        done={blocks ? `A creative of ${campaign} is blocked` : `A creative of ${campaign} is approved`}
        // Refused if the owner or another admin has changed the creative since this list was loaded.
        decide={(reason) => moderate.mutateAsync({ id: c_id, decision, reason, waiting_since, decided_at, ...marks })}
        onDone={onDone}
      >
        {blocks ? null : <CreativeFindings found={found} onChange={setFound} />}
      </DecisionForm>
    </>
  );
}
