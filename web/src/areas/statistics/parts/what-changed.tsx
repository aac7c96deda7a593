import { Button } from "@mantine/core";
import { type Changes, MOVER_GROUPS, type Mover, type MoverGroup, loadingText } from "@millrace/contract";
import { daysIn, formatChange, formatMoneyExact } from "@millrace/units";
import { useState } from "react";
import { readStatsAddress } from "../../../shared/filters/address.ts";
import { comparedDays } from "../../../shared/filters/compared-period.ts";
import { comparisonText } from "../../../shared/filters/comparison-filter.tsx";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { Panel } from "../../../ui/panel.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { ChipSelect } from "../../../ui/fields/chip-select.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { useChanges } from "../api.ts";
import { moverWords } from "../mover-words.ts";
import { type RevenueStep, revenueSteps, shownChange } from "../revenue-steps.ts";
import type { Scope } from "../scope.ts";
import { MoverName } from "./mover-name.tsx";
import { NothingCounted } from "./nothing-counted.tsx";
import classes from "./what-changed.module.css";

const GROUPS = {
  app: "app",
  provider: "provider",
  country: "country",
  format: "format",
  zone: "zone",
} as const satisfies Record<MoverGroup, string>;

/**
 * Why the revenue differs from that of the compared period: the parts of requests, fill rate and eCPM, and what moved most.
 * Steps and movers each add up to the difference.
 */
export function WhatChanged({ scope }: { scope: Scope }) {
  const [by, setBy] = useState<MoverGroup | undefined>(undefined);
  const [, change] = useAddress(readStatsAddress);
  const changes = useChanges(scope, by);
  if (comparedDays(scope.filter) === null) {
    const { compare } = scope.filter;
    return (
      <Panel title="What changed">
        <EmptyNote
          title="Nothing to compare with"
          why={
            compare === "none"
              ? "A comparison shows what brought more revenue, and what cost some."
              : "There are no days before these."
          }
          action={
            compare === "none" ? (
              <Button variant="default" size="xs" onClick={() => change({ compare: "previous" })}>
                {`Compare with ${comparisonText("previous", daysIn(scope.filter))}`}
              </Button>
            ) : undefined
          }
        />
      </Panel>
    );
  }
  return (
    <LoadedBlock
      title="What changed"
      aside={
        changes.data && !isNothing(changes.data) ? (
          <Difference changes={changes.data} scope={scope} onBy={setBy} />
        ) : undefined
      }
      query={changes}
      loading={loadingText("what changed")}
      skeleton={<RowsSkeleton rows={8} height={30} />}
      isEmpty={isNothing}
      empty={
        <NothingCounted
          what="earnings"
          why={`Nothing was earned in this period, nor during ${comparisonText(scope.filter.compare, daysIn(scope.filter))}.`}
        />
      }
    >
      {(data) => (
        <>
          <Steps changes={data} />
          <Movers changes={data} scope={scope} />
        </>
      )}
    </LoadedBlock>
  );
}

/** Nothing was earned in either period. */
const isNothing = ({ before, after }: Changes): boolean => before.revenue === 0 && after.revenue === 0;

const directionOf = (micros: number) => (micros > 0 ? "up" : micros < 0 ? "down" : "same");

interface DifferenceProps {
  changes: Changes;
  scope: Scope;
  onBy: (by: MoverGroup) => void;
}

/** The difference, and the choice of what the movers are. */
function Difference({ changes, scope, onBy }: DifferenceProps) {
  const { before, after, difference, by } = changes;
  const percent = formatChange(after.revenue, before.revenue);
  const groups = MOVER_GROUPS.filter((group) => group !== "app" || scope.uuid === null);
  return (
    <span className={classes.head}>
      <ChipSelect
        label="Movers by"
        before="by"
        options={groups.map((id) => ({ id, label: GROUPS[id] }))}
        chosen={by}
        onChoose={onBy}
      />
      <b className={classes.difference} data-direction={directionOf(difference)} title={formatMoneyExact(difference)}>
        {shownChange(changes).difference}
        {percent === null ? null : `, ${percent}`}
      </b>
    </span>
  );
}

const STEP_NAMES = {
  before: "Before",
  requests: "Requests",
  fillrate: "Fill",
  ecpm: "eCPM",
  now: "Now",
} as const satisfies Record<RevenueStep["id"], string>;

function Steps({ changes }: { changes: Changes }) {
  const { steps, broken } = revenueSteps(changes);
  const { total, factors } = shownChange(changes);
  return (
    <ol className={classes.steps} aria-label="Revenue, from before to now">
      {steps.map(({ id, micros, from, to }, nth) => {
        const isTotal = id === "before" || id === "now";
        const [low, high] = [Math.min(from, to), Math.max(from, to)];
        return (
          <li key={id} title={`${STEP_NAMES[id]}: ${formatMoneyExact(micros)}`}>
            <span className={classes.plot}>
              <span
                className={classes.bar}
                data-kind={isTotal ? id : directionOf(micros)}
                data-broken={isTotal && broken ? "" : undefined}
                style={{ bottom: `${low}%`, height: `max(2px, ${high - low}%)` }}
              />
              <span
                className={classes.amount}
                data-direction={isTotal ? undefined : directionOf(micros)}
                style={{ bottom: `${high}%` }}
              >
                {isTotal ? total(micros) : factors[nth - 1]}
              </span>
            </span>
            <span className={classes.step}>{STEP_NAMES[id]}</span>
          </li>
        );
      })}
    </ol>
  );
}

interface MoversProps {
  changes: Changes;
  scope: Scope;
}

/** What moved most, each with the way to it, and everything else, so that the sum is the difference. */
function Movers({ changes, scope }: MoversProps) {
  const { by, movers, rest } = changes;
  const shown = shownChange(changes);
  return (
    <ul className={classes.movers} aria-label="What moved most">
      {movers.map((mover, nth) => (
        <MoverRow key={mover.id} mover={mover} by={by} scope={scope} shown={shown.movers[nth] ?? ""} />
      ))}
      <li className={classes.rest} title={formatMoneyExact(rest)}>
        <span>{movers.length === 0 ? "Everything" : "Everything else"}</span>
        <span>{shown.rest}</span>
      </li>
    </ul>
  );
}

interface MoverRowProps {
  mover: Mover;
  by: MoverGroup;
  scope: Scope;
  /** The difference as it is shown. */
  shown: string;
}

function MoverRow({ mover, by, scope, shown }: MoverRowProps) {
  const words = moverWords(mover, by);
  return (
    <li title={`${mover.name}${words}: ${formatMoneyExact(mover.difference)}`}>
      <span className={classes.words}>
        <MoverName mover={mover} scope={scope} />
        {words}
      </span>
      <b data-direction={directionOf(mover.difference)}>{shown}</b>
    </li>
  );
}
