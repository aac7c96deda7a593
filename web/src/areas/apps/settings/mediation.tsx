import type { AppSettings } from "@millrace/contract";
import { Blocks } from "./blocks.tsx";
import { Flags } from "./flags.tsx";
import { Floors } from "./floors.tsx";
import { Partners } from "./partners.tsx";
import panels from "../parts/panels.module.css";
import classes from "./settings.module.css";
import { TestDevices } from "./test-devices.tsx";

/** Everything that the app's auctions depend on; the exchange applies a change within seconds. */
export function Mediation({ settings }: { settings: AppSettings }) {
  return (
    <div className={classes.mediation}>
      <div className={panels.column}>
        <Partners settings={settings} />
        <Floors settings={settings} />
      </div>
      <div className={panels.column}>
        <Flags settings={settings} />
        <Blocks settings={settings} />
        <TestDevices settings={settings} />
      </div>
    </div>
  );
}
