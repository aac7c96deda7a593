import { type AppSettings, EARLIEST_DATE, loadingText } from "@millrace/contract";
import { dayOf } from "@millrace/units";
import { useParams } from "@tanstack/react-router";
import { AppHead } from "../../../shared/apps/app-head.tsx";
import { NoApp, isMissing } from "../../../shared/apps/no-app.tsx";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { useFilterOptions } from "../../../shared/filters/use-filter-options.ts";
import { DateRangeFilter } from "../../../ui/fields/date-range-filter.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { useAppSettings, useMediation } from "../api.ts";
import { type MediationAddress, readMediationAddress } from "../mediation/address.ts";
import { AutomaticFloorsPanel } from "../mediation/automatic-floors.tsx";
import { CountryField, FormatField } from "../mediation/choice-fields.tsx";
import { FloorEditor } from "../mediation/floor-editor.tsx";
import { Scorecard } from "../mediation/scorecard.tsx";
import { Waterfall } from "../line-items/waterfall.tsx";
import { LineItemsPanel } from "../line-items/line-items.tsx";
import { Blocks } from "../settings/blocks.tsx";
import { Learning } from "../settings/learning.tsx";
import { SettingsSkeleton } from "../settings/setting-form.tsx";
import { TestDevices } from "../settings/test-devices.tsx";
import classes from "./mediation-page.module.css";

/** Who is asked in an app's auctions, and what may win them. The exchange applies a change within seconds. */
export function AppMediationPage() {
  const { uuid = "" } = useParams({ strict: false });
  // Remounts for another app, so that unsaved input is never saved to the wrong one.
  return <Mediation key={uuid} uuid={uuid} />;
}

function Mediation({ uuid }: { uuid: string }) {
  const [address, change] = useAddress(readMediationAddress);
  const { ds, de, format, country } = address;
  const settings = useAppSettings(uuid);
  const scores = useMediation(uuid, { ds, de, format: format ?? [], country: country ?? [] });
  if (isMissing(settings.error)) return <NoApp />;
  return (
    <>
      <AppHead app={settings.data?.app} what="Mediation" />
      <div className={classes.page}>
        <MediationFilters address={address} onChange={change} />
        <Scorecard uuid={uuid} query={scores} address={address} onChange={change} />
        <Waterfall uuid={uuid} address={address} exploration={settings.data?.learning.exploration} />
        <LineItemsPanel uuid={uuid} />
        <Loaded query={settings} loading={loadingText("settings")} skeleton={<SettingsSkeleton />}>
          {(data) => <MediationSettings settings={data} address={address} onChange={change} />}
        </Loaded>
      </div>
    </>
  );
}

interface AddressProps {
  address: MediationAddress;
  onChange: (change: Partial<MediationAddress>) => void;
}

/** The days of the figures, and the format and country that figures and floor are about. */
function MediationFilters({ address: { ds, de, format, country }, onChange }: AddressProps) {
  const dates = useFilterOptions().data?.dates;
  const limits = { ds: dates?.min ?? EARLIEST_DATE, de: dates?.max ?? dayOf(Date.now()) };
  return (
    <div className={classes.filters} role="group" aria-label="Filters">
      <DateRangeFilter range={{ ds, de }} limits={limits} onApply={onChange} />
      <FormatField
        bare
        value={format ?? ""}
        onChange={(chosen) => onChange({ format: readMediationAddress({ format: chosen }).format })}
      />
      <CountryField
        bare
        value={country ?? ""}
        onChange={(code) => onChange({ country: code === "" ? undefined : code })}
      />
    </div>
  );
}

const MediationSettings = ({ settings, ...address }: AddressProps & { settings: AppSettings }) => (
  <div className={classes.page}>
    <FloorEditor settings={settings} {...address} />
    <AutomaticFloorsPanel uuid={settings.app.uuid} />
    <div className={classes.halves}>
      <Blocks settings={settings} />
      <div className={classes.page}>
        <TestDevices settings={settings} />
        <Learning settings={settings} />
      </div>
    </div>
  </div>
);
