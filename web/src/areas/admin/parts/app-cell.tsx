import { type AppIdentity, PLATFORM_LABELS } from "@millrace/contract";
import { NameOverLine } from "../../../ui/name-over-line.tsx";
import { Initials } from "../../../ui/initials.tsx";
import classes from "./parts.module.css";

/** Another user's app. Not a link, because its statistics open only after impersonating the owner. */
export function AppCell({ app }: { app: Pick<AppIdentity, "name" | "logo_url" | "platform" | "bundle_id"> }) {
  return (
    <span className={classes.app}>
      <Initials name={app.name} image={app.logo_url} size={32} />
      <NameOverLine
        name={app.name}
        line={[PLATFORM_LABELS[app.platform], app.bundle_id].filter((part) => part !== "").join(" · ")}
      />
    </span>
  );
}
