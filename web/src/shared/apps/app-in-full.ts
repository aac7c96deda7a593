import { type AppIdentity, PLATFORM_LABELS } from "@millrace/contract";

/** An app by its name and platform, because an app often has a twin of the same name on another platform. */
export const appInFull = ({ name, platform }: Pick<AppIdentity, "name" | "platform">): string =>
  `${name}, ${PLATFORM_LABELS[platform]}`;
