import { Button } from "@mantine/core";
import { TEXTS } from "@millrace/contract";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { ApiError } from "../shared/call-api.ts";
import { BrandMark } from "../ui/brand-mark.tsx";
import { EmptyNote } from "../ui/states/empty-note.tsx";
import classes from "./shell/shell.module.css";

/** Shown when a page cannot start: the server is unreachable, or a chunk failed to load. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = async () => {
    reset();
    await router.invalidate();
  };
  return (
    <main className={classes.failed}>
      <BrandMark size={32} />
      <h1 className="visually-hidden" tabIndex={-1}>
        Error
      </h1>
      <EmptyNote
        title={TEXTS.requestFailed}
        why={
          error instanceof ApiError
            ? "The server did not answer as expected."
            : "A part of this page could not be loaded."
        }
        action={<Button onClick={() => void again()}>{TEXTS.tryAgain}</Button>}
      />
    </main>
  );
}
