import { inhouseMeasurement, rotateInhouseSecret, testInhousePostback } from "@millrace/contract";
import { Suspense, lazy } from "react";
import { callApi } from "../../../shared/call-api.ts";
import { Panel } from "../../../ui/panel.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { WhenSeen } from "../../../ui/when-seen.tsx";
import formClasses from "../form/form.module.css";
import type { PostbackCalls } from "../form/postbacks.tsx";

const Postbacks = lazy(async () => ({ default: (await import("../form/postbacks.tsx")).Postbacks }));
const ROWS = <RowsSkeleton rows={4} height={36} />;

const CALLS: PostbackCalls = {
  load: (id, signal) => callApi(inhouseMeasurement, { params: { id }, signal }),
  test: (id) => callApi(testInhousePostback, { params: { id } }),
  rotate: () => callApi(rotateInhouseSecret, {}),
};

/** How the installs of a saved in-house campaign are reported. */
export const Installs = ({ uuid }: { uuid: string }) => (
  <Panel title="Installs" aside="Optional">
    <div className={formClasses.stack}>
      <p className={formClasses.hint}>
        Each click has an id. A link to the Play Store hands it to the installed app as its install referrer; for any
        other page, put {"{click_id}"} into the target URL. An install that is reported with such an id within 7 days is
        counted once.
      </p>
      <WhenSeen fallback={ROWS}>
        <Suspense fallback={ROWS}>
          <Postbacks uuid={uuid} provider={undefined} calls={CALLS} />
        </Suspense>
      </WhenSeen>
    </div>
  </Panel>
);
