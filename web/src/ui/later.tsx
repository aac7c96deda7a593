import { type ComponentType, type ReactNode, useEffect, useState } from "react";

interface Later<Props> {
  (props: Props & { fallback: ReactNode }): ReactNode;
  /** Loads the code ahead. */
  fetch(): void;
}

/**
 * A component whose code is loaded when it is first drawn, with the fallback in its place until then. Suspense shows what was
 * loaded no sooner than 300 ms after the page's last fallback (React's throttle, against flicker); this shows it at once.
 * Code that cannot be loaded is an error for the nearest boundary, as with `lazy`.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): Later<Props> {
  let Loaded: ComponentType<Props> | undefined;
  const loaded = async () => {
    Loaded ??= await load();
  };

  function DrawnLater({ fallback, ...props }: Props & { fallback: ReactNode }) {
    const [state, setState] = useState<{ error?: unknown }>({});
    useEffect(() => {
      if (Loaded) return undefined;
      let isGone = false;
      const settle = (now: { error?: unknown }) => {
        if (!isGone) setState(now);
      };
      loaded().then(
        () => settle({}),
        (error: unknown) => settle({ error }),
      );
      return () => {
        isGone = true;
      };
    }, []);
    if ("error" in state) throw state.error;
    return Loaded ? <Loaded {...(props as unknown as Props)} /> : fallback;
  }
  return Object.assign(DrawnLater, { fetch: () => void loaded().catch(() => undefined) });
}
