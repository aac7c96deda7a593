import { loadingText } from "@millrace/contract";
import { useParams } from "@tanstack/react-router";
import { AppHead } from "../../../shared/apps/app-head.tsx";
import { NoApp, isMissing } from "../../../shared/apps/no-app.tsx";
import { useMayUse } from "../../../shared/session.ts";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { useAppIdentity, useAppSettings } from "../api.ts";
import { Flags } from "../settings/flags.tsx";
import { Integrate } from "../settings/integrate.tsx";
import { RenameApp } from "../settings/rename-app.tsx";
import { RevenueWebhook } from "../settings/revenue-webhook.tsx";
import { Rewards } from "../settings/rewards.tsx";
import { SettingsSkeleton } from "../settings/setting-form.tsx";
import panels from "../parts/panels.module.css";
import classes from "../settings/settings.module.css";

const WHAT = "Integrate";

/** How an app gets its ads: the instructions, its name, the flags of its ads, its rewards, and its revenue webhook. */
export function AppSettingsPage() {
  const { uuid = "" } = useParams({ strict: false });
  const may = useMayUse();
  // Remounts for another app, so that unsaved input is never saved to the wrong one.
  return may("settings.manage") ? <Settings key={uuid} uuid={uuid} /> : <InstructionsAlone key={uuid} uuid={uuid} />;
}

/** Developers see the instructions but no settings. */
function InstructionsAlone({ uuid }: { uuid: string }) {
  const { data: app, error } = useAppIdentity(uuid);
  if (isMissing(error)) return <NoApp />;
  return (
    <>
      <AppHead app={app} what={WHAT} />
      <Integrate uuid={uuid} app={app} />
    </>
  );
}

function Settings({ uuid }: { uuid: string }) {
  const settings = useAppSettings(uuid);
  const app = settings.data?.app;
  if (isMissing(settings.error)) return <NoApp />;
  return (
    <>
      <AppHead app={app} what={WHAT}>
        {app ? <RenameApp app={app} /> : null}
      </AppHead>
      <div className={classes.integrate}>
        <Integrate uuid={uuid} app={app} zones={settings.data?.zones} />
        <Loaded query={settings} loading={loadingText("settings")} skeleton={<SettingsSkeleton />}>
          {(data) => (
            <div className={panels.column}>
              <Flags settings={data} />
              <Rewards settings={data} />
              <RevenueWebhook uuid={uuid} />
            </div>
          )}
        </Loaded>
      </div>
    </>
  );
}
