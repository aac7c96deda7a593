import { type AppRow, PLATFORMS_WITHOUT_KEYS, type RightName } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { appInFull } from "../../../shared/apps/app-in-full.ts";
import { PATHS } from "../../../shared/paths.ts";
import classes from "./parts.module.css";

interface AppActionsProps {
  app: AppRow;
  may: (right: RightName) => boolean;
  onDelete: (app: AppRow) => void;
}

/** The actions on an app in the list that the user has the right to. */
export function AppActions({ app, may, onDelete }: AppActionsProps) {
  const appSuffix = <span className="visually-hidden">of {appInFull(app)}</span>;
  return (
    <span className={classes.actions}>
      {may("instructions.read") ? (
        <Link to={PATHS.appSettings} params={{ uuid: app.uuid }} search={{}}>
          tools {appSuffix}
        </Link>
      ) : null}
      {may("keys.manage") && !PLATFORMS_WITHOUT_KEYS.includes(app.platform) ? (
        <Link to={PATHS.appDsp} params={{ uuid: app.uuid }} search={{}}>
          keys {appSuffix}
        </Link>
      ) : null}
      {may("apps.delete") ? (
        <button type="button" aria-haspopup="dialog" onClick={() => onDelete(app)}>
          delete <span className="visually-hidden">{appInFull(app)}</span>
        </button>
      ) : null}
    </span>
  );
}
