import { notFoundText } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { ApiError } from "../call-api.ts";
import { PATHS } from "../paths.ts";
import { PageTitle } from "../../ui/page-title.tsx";
import { EmptyNote } from "../../ui/states/empty-note.tsx";

/** Whether an app's page failed because there is no such app. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);

/** Shown instead of a page whose app does not exist. */
export function NoApp() {
  return (
    <>
      <PageTitle text="No app" />
      <EmptyNote
        title={notFoundText("app")}
        why="It does not exist, or you have no access to it."
        action={
          <Link to={PATHS.apps} search={{}}>
            Show my apps
          </Link>
        }
      />
    </>
  );
}
