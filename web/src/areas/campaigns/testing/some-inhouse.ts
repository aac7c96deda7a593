import { someSession } from "../../../testing/some-session.ts";

/** The promoted app. */
export const TIDE = "00000000-0000-4000-8000-000000000041";

export const publisher = () => someSession({ roles: { can_apps: true, can_campaign: false } });
