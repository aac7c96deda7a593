import { type AppIdentity, SDK_STATUS_LABELS, SDK_STATUS_TEXTS } from "@millrace/contract";
import { Hint } from "../../ui/bubble/hint.tsx";
import { SupportText } from "../support-text.tsx";
import classes from "./sdk-pill.module.css";

type PillApp = Pick<AppIdentity, "sdk_status" | "sdk_status_class" | "sdk_info">;

/** The status of an app's SDK; hover or focus explains it and the next step. */
export function SdkPill({ app }: { app: PillApp }) {
  const { sdk_status: status, sdk_info: info } = app;
  const version = info.version === null || (status !== "on" && status !== "update") ? "" : ` · ${info.version}`;
  return (
    <Hint hint={<StatusText app={app} />}>
      {(described) => (
        <button type="button" className={classes.pill} data-class={app.sdk_status_class} {...described}>
          {SDK_STATUS_LABELS[status] + version}
        </button>
      )}
    </Hint>
  );
}

function StatusText({ app: { sdk_status: status, sdk_status_class: kind, sdk_info: info } }: { app: PillApp }) {
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
