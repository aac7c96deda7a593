import { setImmediate as nextTurn } from "node:timers/promises";
import { type AppFileQuery, type FileKind, type PublisherFileQuery, appLabel, narrowed } from "@millrace/contract";
import type { ScopeStatistics } from "../../statistics/index.ts";
import { selectApp } from "../app-page.ts";
import type { AppsDeps } from "../deps.ts";
import { providerLabels } from "../provider-labels.ts";
import { selectApps } from "../publisher-page.ts";
import type { App } from "../store.ts";
import { drawPdf } from "./draw-pdf.ts";
import { tableCsv } from "./table-csv.ts";

/** The table and file type: of one app, or of all of an account (`app` is null). */
export type FileRequest = {
  kind: FileKind;
  /** The apps of whoever asked for it: null for all of the account. */
  appIds: readonly number[] | null;
} & ({ app: string; query: AppFileQuery } | { app: null; query: PublisherFileQuery });

export interface MadeFile {
  /** As `Tide-Puzzle-country-2026-11-01-2026-11-19.csv`. */
  name: string;
  content: string | Buffer;
}

/** Progress from 0 to 100. */
export type OnPercent = (percent: number) => void;

/** Reading the numbers is about this share of the work; the rest is drawing. */
const READ_PERCENT = 60;

/** The statistics table as a file. Another account's app, or none: Problem `not_found`. */
export async function makeTableFile(
  deps: AppsDeps,
  accountId: number,
  request: FileRequest,
  onPercent: OnPercent = () => undefined,
): Promise<MadeFile> {
  const { title, statistics, chosenApps } = await requestedTable(deps, accountId, request);
  const { kind, query } = request;
  const name = fileName(title, request);
  if (kind === "csv") {
    const table = await statistics.stats();
    onPercent(READ_PERCENT);
    return { name, content: await tableCsv(table, query) };
  }
  let read = 0;
  const counted = async <T>(part: Promise<T>): Promise<T> => {
    const value = await part;
    onPercent(((read += 1) * READ_PERCENT) / 3);
    return value;
  };
  const [providerNames, table, revenue] = await Promise.all([
    counted(providerLabels(deps)),
    counted(statistics.stats()),
    counted(statistics.revenue_summary()),
  ]);
  // Sending years of days to the thread that draws them takes a turn of its own.
  await nextTurn();
  const content = await drawPdf(
    {
      name: title,
      query,
      chosenApps,
      table,
      revenue,
      publicUrl: deps.publicUrl,
      madeMs: deps.clock.now(),
      providerNames,
    },
    (page, pages) => onPercent(READ_PERCENT + ((100 - READ_PERCENT) * page) / pages),
  );
  return { name, content };
}

interface TableRequest {
  /** The name of the app or account. */
  title: string;
  statistics: ScopeStatistics;
  chosenApps: string[];
}

async function requestedTable(
  deps: AppsDeps,
  accountId: number,
  { app, appIds, query }: FileRequest,
): Promise<TableRequest> {
  const reach = { accountId, appIds };
  if (app !== null) {
    const selection = await selectApp(deps, reach, app, query);
    return { title: selection.app.name, statistics: selection.statistics, chosenApps: [] };
  }
  const { apps, statistics } = await selectApps(deps, reach, query);
  return { title: "All apps", statistics, chosenApps: narrowed(query.app_id) ? apps.map(labelOf) : [] };
}

const labelOf = ({ name, isDeleted: deleted }: App): string => appLabel({ name, deleted });

/** Characters that every file system accepts, whatever the app's name. */
function fileName(title: string, { kind, query: { view, ds, de } }: FileRequest): string {
  const plain = title.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^-|-$/g, "") || "app";
  return `${plain}-${view}-${ds}-${de}.${kind}`;
}
