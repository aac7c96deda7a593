import {
  TABLE_FIGURES,
  type TableFigure,
  type TableOrder,
  type View,
  appStatsCsv,
  appStatsPdf,
  isMadeLater,
  publisherStatsCsv,
  publisherStatsPdf,
} from "@millrace/contract";
import { addressOf } from "../../../shared/call-api.ts";
import type { Direction } from "../../../shared/filters/address.ts";
import { DownloadIcon } from "../../../ui/icons.tsx";
import { filterOf } from "../api.ts";
import type { Scope } from "../scope.ts";
import { LongFile } from "./long-file.tsx";
import classes from "./parts.module.css";

interface DownloadsProps {
  scope: Scope;
  table: { view: View; order: TableOrder; order_type: Direction };
  figures: readonly TableFigure[];
}

/** Downloads the table as shown. */
export function Downloads({ scope, table, figures }: DownloadsProps) {
  const columns = figures.length === TABLE_FIGURES.length ? [] : figures;
  const query = { ...filterOf(scope), ...table, columns };
  if (isMadeLater(scope.filter)) {
    // A different query is a different file.
    const key = addressOf(publisherStatsCsv, {}, { ...query, app: scope.uuid });
    return (
      <span className={classes.downloads} key={key}>
        <LongFile kind="csv" uuid={scope.uuid} query={query} />
        <LongFile kind="pdf" uuid={scope.uuid} query={query} />
      </span>
    );
  }
  const [csv, pdf] =
    scope.uuid === null
      ? [addressOf(publisherStatsCsv, {}, query), addressOf(publisherStatsPdf, {}, query)]
      : [addressOf(appStatsCsv, { id: scope.uuid }, query), addressOf(appStatsPdf, { id: scope.uuid }, query)];
  return (
    <span className={classes.downloads}>
      <a href={csv} download className={classes.download}>
        <DownloadIcon /> Download CSV
      </a>
      <a href={pdf} download className={classes.download}>
        <DownloadIcon /> Download PDF
      </a>
    </span>
  );
}
