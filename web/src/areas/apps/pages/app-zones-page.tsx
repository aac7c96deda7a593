import { loadingText } from "@millrace/contract";
import { useParams } from "@tanstack/react-router";
import { AppHead } from "../../../shared/apps/app-head.tsx";
import { NoApp, isMissing } from "../../../shared/apps/no-app.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { useAppSettings } from "../api.ts";
import { SettingsSkeleton } from "../settings/setting-form.tsx";
import { Zones } from "../settings/zones.tsx";

/** The places in an app that request ads. */
export function AppZonesPage() {
  const { uuid = "" } = useParams({ strict: false });
  const settings = useAppSettings(uuid);
  if (isMissing(settings.error)) return <NoApp />;
  return (
    <>
      <AppHead app={settings.data?.app} what="Zones" />
      <Loaded query={settings} loading={loadingText("zones")} skeleton={<SettingsSkeleton />}>
        {(data) => <Zones key={uuid} settings={data} />}
      </Loaded>
    </>
  );
}
