import { Button } from "@mantine/core";
import classes from "./states.module.css";
import { useErrorWords } from "./error-words.tsx";

interface BlockErrorProps {
  error: unknown;
  retrying: boolean;
  onRetry: () => void;
  /** Replaces the button's default label. */
  retry?: string | undefined;
}

/** A block that failed to load, with its cause and a retry button. */
export function BlockError({ error, retrying, onRetry, retry }: BlockErrorProps) {
  const words = useErrorWords();
  return (
    <div className={classes.error} role="alert">
      <p>{words.sentence(error)}</p>
      <Button variant="default" size="xs" loading={retrying} onClick={onRetry}>
        {retry ?? words.retry}
      </Button>
    </div>
  );
}
