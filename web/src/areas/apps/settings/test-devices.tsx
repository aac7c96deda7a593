import { type AppSettings, TestDevices as Body } from "@millrace/contract";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { useSetTestDevices } from "../api.ts";
import { entriesFault, entriesOf } from "./read-lines.ts";
import { SettingForm } from "./setting-form.tsx";
import { useSetting } from "./use-setting.ts";

/** Devices that receive test ads. */
export function TestDevices({ settings: { app, test_devices: devices, revisions } }: { settings: AppSettings }) {
  const set = useSetTestDevices(app.uuid);
  const setting = useSetting({
    saved: devices.join("\n"),
    keyOf: (text) => entriesOf(text).join(),
    check: (text) => entriesFault(Body.shape.devices, text),
    revision: revisions.test_devices,
    save: async (text, revision) => {
      const now = await set.mutateAsync({ devices: entriesOf(text), revision });
      return { saved: now.test_devices.join("\n"), revision: now.revisions.test_devices };
    },
  });
  return (
    <SettingForm
      title="Test devices"
      about="All ads on these devices are test ads: they are neither counted nor paid."
      action="Save test devices"
      setting={setting}
    >
      <TextAreaField
        name="devices"
        label="Advertising ids"
        description="One per line (IDFA, GAID or similar); at most 50."
        placeholder="38400000-8cf0-11bd-b23e-10b96e40000d"
        rows={4}
        spellCheck={false}
        autoCapitalize="none"
        value={setting.draft}
        error={undefined}
        onChange={setting.change}
      />
    </SettingForm>
  );
}
