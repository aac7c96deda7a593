import { type AppIdentity, SDK_STATUS_LABELS, SDK_STATUS_TEXTS, TEXTS } from "@millrace/contract";
import { Hint } from "../../ui/bubble/hint.tsx";
import { SupportText } from "../support-text.tsx";
import classes from "./sdk-pill.module.css";

type PillApp = Pick<AppIdentity, "sdk_status" | "sdk_status_class" | "sdk_info" | "is_sample">;

/** The status of an app's SDK; hover or focus explains it and the next step. */
export function SdkPill({ app }: { app: PillApp }) {
  const { sdk_status: status, sdk_info: info } = app;
  const version = info.version === null || (status !== "on" && status !== "update") ? "" : ` · ${info.version}`;
  return (
    <Hint hint={<StatusText app={app} />}>
      {(described) => (
        <button type="button" className={classes.pill} data-class={kindOf(app)} {...described}>
          {app.is_sample === 1 ? "Sample" : SDK_STATUS_LABELS[status] + version}
        </button>
      )}
    </Hint>
  );
}

/** A new app has nothing wrong with it: it waits for its SDK to run for the first time. */
const kindOf = ({ sdk_status, sdk_status_class, is_sample }: PillApp) =>
  sdk_status === "download" || is_sample === 1 ? "waiting" : sdk_status_class;

function StatusText({ app }: { app: PillApp }) {
  const { sdk_status: status, sdk_status_class: kind, sdk_info: info, is_sample: sample } = app;
  if (sample === 1) return TEXTS.sampleApp;
  if (status === "on") {
    return (
      <>
        {SDK_STATUS_TEXTS.on}
        {info.version === null ? ". " : `, version ${info.version}. `}
        {info.changelog_url === null ? null : <a href={info.changelog_url}>What has changed</a>}
      </>
    );
  }
  if (status === "update") {
    return (
      <>
        {SDK_STATUS_TEXTS.update} {info.update_url === null ? null : <a href={info.update_url}>Get the new SDK</a>}
      </>
    );
  }
  return <SupportText text={SDK_STATUS_TEXTS[status === "check" && kind === "success" ? "checked" : status]} />;
}
