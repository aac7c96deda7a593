import { Button } from "@mantine/core";
import type { Reply, checkAppAds } from "@millrace/contract";
import { formatCount, formatMoney, formatMoneyExact } from "@millrace/units";
import { Panel } from "../../../ui/panel.tsx";
import { BlockError } from "../../../ui/states/block-error.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { useCheckAppAds } from "../api.ts";
import panels from "../parts/panels.module.css";
import classes from "./app-ads.module.css";

type Result = Reply<typeof checkAppAds>;
type Missing = Result["missing"][number];

/** Compares the file on the developer's site with the expected lines. */
export function Check({ domain }: { domain: string | null }) {
  const check = useCheckAppAds();
  const run = () => check.mutate();
  return (
    <Panel
      title="Check"
      busy={check.isPending}
      aside={
        <Button
          size="xs"
          variant={check.data ? "default" : "filled"}
          disabled={domain === null}
          loading={check.isPending}
          onClick={run}
        >
          {check.data ? "Check again" : "Check now"}
        </Button>
      }
    >
      {check.isPending ? (
        <>
          <p className={panels.about} role="status">
            Reading the file from {domain}.
          </p>
          <RowsSkeleton rows={3} height={30} />
        </>
      ) : check.isError ? (
        <BlockError error={check.error} retrying={check.isPending} onRetry={run} />
      ) : check.data ? (
        <CheckResult result={check.data} />
      ) : (
        <p className={panels.about}>
          {domain === null
            ? "Save the domain of your developer site first: the file is read from there."
            : `Reads app-ads.txt from ${domain} and lists the missing lines.`}
        </p>
      )}
    </Panel>
  );
}

const COLUMNS: Column<Missing>[] = [
  { id: "line", head: "Missing line", cell: ({ line }) => <code className={classes.code}>{line}</code> },
  { id: "partners", head: "Partners", cell: ({ partners }) => partners.join(", ") },
  {
    id: "revenue",
    head: "Revenue, 30 days",
    numeric: true,
    cell: ({ revenue }) => formatMoney(revenue),
    exact: ({ revenue }) => formatMoneyExact(revenue),
  },
];

function CheckResult({ result: { url, problem, found, missing, revenue_at_risk: atRisk } }: { result: Result }) {
  return (
    <>
      <p
        className={classes.verdict}
        data-verdict={problem !== null ? "down" : missing.length > 0 ? "warn" : "up"}
        role="status"
      >
        {problem ?? verdictOf(found, missing.length)}
        {missing.length === 0 ? null : (
          <>
            {" "}
            <b title={formatMoneyExact(atRisk)}>{formatMoney(atRisk)}</b> of the last 30 days came from partners with a
            missing line.
          </>
        )}
      </p>
      <p className={panels.about}>
        <a href={url} target="_blank" rel="noreferrer noopener">
          {url}
        </a>
      </p>
      {missing.length === 0 ? null : (
        <DataTable
          caption="Missing lines"
          columns={COLUMNS}
          rows={missing}
          rowId={({ line }) => line}
          maxHeight={360}
        />
      )}
    </>
  );
}

function verdictOf(found: number, missing: number): string {
  if (missing === 0) return found === 1 ? "The only line is present." : `All ${formatCount(found)} lines are present.`;
  const lines = missing === 1 ? "1 line is" : `${formatCount(missing)} lines are`;
  return `${lines} missing, ${formatCount(found)} present.`;
}
