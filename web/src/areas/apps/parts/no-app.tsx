import { notFoundText } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { ApiError } from "../../../shared/call-api.ts";
import { PATHS } from "../../../shared/paths.ts";
import { PageTitle } from "../../../ui/page-title.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import classes from "./parts.module.css";

/** Whether an app's page failed because there is no such app. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);

/** Instead of a page of an app that is not there. */
export function NoApp() {
  return (
    <>
      <PageTitle text="Apps">
        <h1 className={classes.plainTitle} tabIndex={-1}>
          Apps
        </h1>
      </PageTitle>
      <EmptyNote
        title={notFoundText("app")}
        why="This app is not one of your account's."
        action={
          <Link to={PATHS.apps} search={{}}>
            Show all apps
          </Link>
        }
      />
    </>
  );
}
