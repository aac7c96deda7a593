import type { AppIdentity } from "@millrace/contract";
import type { AppsDeps } from "./deps.ts";
import { VERSIONS_PART } from "./instructions/instruction-parts.ts";
import { sdkStatus } from "./sdk-status.ts";
import type { App } from "./store.ts";

/** An app as every screen shows it. */
export function appIdentity({ sdk, clock }: Pick<AppsDeps, "sdk" | "clock">, app: App): AppIdentity {
  const integrate = `/apps/${app.uuid}/settings`;
  return {
    app_id: app.id,
    uuid: app.uuid,
    name: app.name,
    logo_url: app.logoUrl,
    url: app.url,
    bundle_id: app.bundleId,
    platform: app.platform,
    in_dev: app.inDev ? 1 : 0,
    ...(app.isSample && { is_sample: 1 as const }),
    ...sdkStatus(app, sdk.latest, clock.now()),
    sdk_info: { version: app.sdkVersion, changelog_url: `${integrate}#${VERSIONS_PART}`, update_url: integrate },
  };
}
