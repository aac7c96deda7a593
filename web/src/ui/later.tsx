import { type ComponentType, type ReactNode, useEffect, useState } from "react";

interface Later<Props> {
  (props: Props & { fallback: ReactNode }): ReactNode;
  /** Preloads the code. */
  fetch(): void;
}

/**
 * Makes a component that loads its code when it is first drawn, and shows its fallback until then. Suspense would show loaded
 * code no sooner than 300 ms after the page's last fallback (React's throttle, against flicker); this shows it at once.
 * Code that cannot be loaded is an error for the nearest boundary, as with `lazy`.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): Later<Props> {
  let known: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;
  const loadOnce = () => (loading ??= tryToLoad());
  const tryToLoad = async () => {
    try {
      return (known = await load());
    } catch (error) {
      // The next one tries again.
      loading = undefined;
      throw error;
    }
  };

  function DrawnLater({ fallback, ...props }: Props & { fallback: ReactNode }) {
    const [{ Component, failure }, settle] = useState<Settled<Props>>(() => ({ Component: known }));
    const isMissing = Component === undefined;
    useEffect(() => {
      if (!isMissing) return;
      loadOnce().then(
        (loaded) => settle({ Component: loaded }),
        (error: unknown) => settle({ Component: undefined, failure: { error } }),
      );
    }, [isMissing]);
    if (failure) throw failure.error;
    return Component ? <Component {...(props as unknown as Props)} /> : fallback;
  }
  return Object.assign(DrawnLater, { fetch: () => void loadOnce().catch(() => undefined) });
}

interface Settled<Props> {
  /** Undefined until it is loaded. */
  Component: ComponentType<Props> | undefined;
  failure?: { error: unknown };
}
