import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Panel } from "../panel.tsx";
import { BlockError } from "./block-error.tsx";
import classes from "./states.module.css";

/** The parts of a query that a block uses. */
export type BlockQuery<T> = Pick<
  UseQueryResult<T>,
  "data" | "error" | "isError" | "isPlaceholderData" | "isFetching" | "refetch"
>;

interface LoadedBlockProps<T> {
  title: string;
  /** It is the page's heading too, and is not shown twice. */
  repeatsHeading?: boolean;
  aside?: ReactNode | ((data: T | undefined) => ReactNode);
  query: BlockQuery<T>;
  /** Has the shape of the content, so that nothing jumps. */
  skeleton: ReactNode;
  /** Announced to screen readers while loading. */
  loading: string;
  /** The minimum height of an error or empty note, so that the page does not jump. */
  minHeight?: number;
  /** Replaces the default label of the retry button. */
  retry?: string;
  isEmpty?: (data: T) => boolean;
  empty?: ReactNode;
  children: (data: T) => ReactNode;
}

/**
 * A panel that loads, fails and retries on its own. Data of the previous filters stays visible, dimmed, until the new
 * data has loaded.
 */
export function LoadedBlock<T>({ title, repeatsHeading, aside, query, ...content }: LoadedBlockProps<T>) {
  const shown = typeof aside === "function" ? aside(query.data) : aside;
  return (
    <Panel
      title={title}
      repeatsHeading={repeatsHeading}
      aside={shown}
      busy={query.data === undefined && !query.isError}
    >
      <Loaded query={query} {...content} />
    </Panel>
  );
}

/** The same without a panel, for blocks that share one. */
export function Loaded<T>(props: Omit<LoadedBlockProps<T>, "title" | "repeatsHeading" | "aside">) {
  const { query, skeleton, loading, minHeight = 0, retry, isEmpty, empty, children } = props;
  if (query.data === undefined) {
    if (query.isError) {
      return (
        <div className={classes.note} style={{ minHeight }}>
          <BlockError
            error={query.error}
            retrying={query.isFetching}
            retry={retry}
            onRetry={() => void query.refetch()}
          />
        </div>
      );
    }
    return (
      <div>
        <span className="visually-hidden">{loading}</span>
        <div aria-hidden="true">{skeleton}</div>
      </div>
    );
  }
  const nothing = isEmpty?.(query.data) === true;
  return (
    <div className={classes.loaded} data-stale={query.isPlaceholderData ? "" : undefined}>
      {nothing ? (
        <div className={classes.note} style={{ minHeight }}>
          {empty}
        </div>
      ) : (
        children(query.data)
      )}
    </div>
  );
}
