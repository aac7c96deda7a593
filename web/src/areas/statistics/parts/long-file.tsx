import "@mantine/core/styles/Progress.layer.css";
import {
  type FileKind,
  type TableFileStatus,
  downloadTableFile,
  makeAppFile,
  makePublisherFile,
  tableFileStatus,
} from "@millrace/contract";
import { Progress } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, addressOf, callApi, messageOf } from "../../../shared/call-api.ts";
import { DownloadIcon } from "../../../ui/icons.tsx";
import classes from "./parts.module.css";

const LOOK_MS = 700;

interface LongFileProps {
  kind: FileKind;
  uuid: string | null;
  query: Record<string, unknown>;
}

/** A file that takes a while: a click starts a job, a bar shows its progress, then the browser downloads it. */
export function LongFile({ kind, uuid, query }: LongFileProps) {
  const { data: ordered, error, isPending, mutate } = useMutation({ mutationFn: () => ask({ kind, uuid, query }) });
  const { data: file = ordered, error: lost } = useQuery({
    queryKey: ["statistics file", ordered?.id],
    queryFn: ({ signal }) => callApi(tableFileStatus, { params: { id: ordered?.id ?? "" }, signal }),
    enabled: ordered !== undefined && isOnItsWay(ordered),
    // The platform may be restarting; the file will still be created.
    refetchInterval: ({ state: { data, error: failed } }) =>
      (data === undefined || isOnItsWay(data)) && !isGone(failed) && LOOK_MS,
  });
  const readyId = file?.state === "ready" ? file.id : undefined;
  useEffect(() => {
    if (readyId !== undefined) download(addressOf(downloadTableFile, { id: readyId }, {}));
  }, [readyId]);

  const name = kind.toUpperCase();
  const fault = error
    ? messageOf(error)
    : isGone(lost) || file?.state === "failed"
      ? `The ${name} could not be created.`
      : null;
  if (isPending || (file && isOnItsWay(file) && !isGone(lost)))
    return (
      <span className={classes.making}>
        {lost ? `Waiting for the ${name}` : `Creating the ${name}`}
        <Progress
          aria-label={`${name} file`}
          value={file?.percent ?? 0}
          className={classes.makingBar}
          transitionDuration={300}
        />
      </span>
    );
  return (
    <>
      {fault !== null && (
        <span role="alert" className={classes.notMade}>
          {fault}
        </span>
      )}
      <button type="button" className={classes.download} onClick={() => mutate()}>
        <DownloadIcon /> Download {name}
      </button>
    </>
  );
}

const isOnItsWay = ({ state }: TableFileStatus): boolean => state === "waiting" || state === "working";

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

const ask = ({ kind, uuid, query }: LongFileProps): Promise<TableFileStatus> =>
  uuid === null
    ? callApi(makePublisherFile, { query, body: { kind } })
    : callApi(makeAppFile, { params: { id: uuid }, query, body: { kind } });

function download(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
