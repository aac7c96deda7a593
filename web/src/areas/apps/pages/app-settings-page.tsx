import { loadingText } from "@millrace/contract";
import { useParams } from "@tanstack/react-router";
import { type Search, oneOf } from "../../../shared/filters/address.ts";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { useMayUse } from "../../../shared/session.ts";
import { SkeletonBar } from "../../../ui/states/skeletons.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { Tabs } from "../../../ui/tabs/tabs.tsx";
import { useAppIdentity, useAppSettings } from "../api.ts";
import { AppHead } from "../../../shared/apps/app-head.tsx";
import { NoApp, isMissing } from "../../../shared/apps/no-app.tsx";
import { InstructionFrame } from "../settings/instruction-frame.tsx";
import { Mediation } from "../settings/mediation.tsx";
import { RenameApp } from "../settings/rename-app.tsx";
import classes from "../settings/settings.module.css";
import { Zones } from "../settings/zones.tsx";

const TABS = ["instructions", "zones", "mediation"] as const;
type TabName = (typeof TABS)[number];

interface SettingsAddress {
  /** Undefined for the first tab. */
  tab: TabName | undefined;
}

const readAddress = (search: Search): SettingsAddress => {
  const tab = oneOf(TABS, search["tab"], "instructions");
  return { tab: tab === "instructions" ? undefined : tab };
};

/** An app's integration instructions, zones and mediation settings. */
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
      <AppHead app={app} what="Instructions" />
      <InstructionFrame uuid={uuid} />
    </>
  );
}

function Settings({ uuid }: { uuid: string }) {
  const [{ tab = "instructions" }, change] = useAddress(readAddress);
  const settings = useAppSettings(uuid);
  const app = settings.data?.app;
  if (isMissing(settings.error)) return <NoApp />;
  const open = (next: TabName) => change({ tab: next === "instructions" ? undefined : next });
  return (
    <>
      <AppHead app={app} what="Settings">
        {app ? <RenameApp app={app} /> : null}
      </AppHead>
      <Loaded query={settings} loading={loadingText("settings")} skeleton={<SettingsSkeleton />}>
        {(data) => (
          <Tabs
            label="Settings"
            chosen={tab}
            onChoose={open}
            tabs={[
              { id: "instructions", label: "Instructions", content: <InstructionFrame uuid={uuid} /> },
              {
                id: "zones",
                label: "Zones",
                content: <Zones settings={data} onInstructions={() => open("instructions")} />,
              },
              { id: "mediation", label: "Mediation", content: <Mediation settings={data} /> },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

const SettingsSkeleton = () => (
  <div className={classes.skeleton}>
    <SkeletonBar width="280px" height="20px" />
    <SkeletonBar height="320px" />
  </div>
);
