import { useComputedColorScheme } from "@mantine/core";
import type { Reply, support } from "@millrace/contract";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";

type Chat = NonNullable<Reply<typeof support>["chat"]>;

/** Intercom's entry point: calls queue in `q` until its script is loaded. */
interface Intercom {
  (...call: readonly unknown[]): void;
  q?: unknown[];
}

declare global {
  interface Window {
    Intercom?: Intercom;
    intercomSettings?: Record<string, unknown>;
  }
}

/** Starts the chat with the user's details in our cyan, reports navigations to it, and ends it with the session. */
export function SupportChat({ chat }: { chat: Chat }) {
  const scheme = useComputedColorScheme("light");
  const color = useMemo(() => accentIn(scheme), [scheme]);
  const router = useRouter();
  useEffect(() => {
    const settings = { ...chat, action_color: color, background_color: color };
    window.intercomSettings = settings;
    load(chat.app_id)("boot", settings);
    return () => window.Intercom?.("shutdown");
  }, [chat, color]);
  useEffect(() => router.subscribe("onResolved", () => window.Intercom?.("update")), [router]);
  return null;
}

/** The accent as a plain colour, as the chat knows no CSS variables. */
function accentIn(scheme: string): string {
  const root = document.documentElement;
  // Mantine sets the attribute in an effect after this render.
  root.setAttribute("data-mantine-color-scheme", scheme);
  return getComputedStyle(root).getPropertyValue("--accent-line").trim();
}

function load(appId: string): Intercom {
  if (window.Intercom) return window.Intercom;
  const waiting: Intercom = (...call) => waiting.q?.push(call);
  waiting.q = [];
  window.Intercom = waiting;
  const script = document.createElement("script");
  script.src = `https://widget.intercom.io/widget/${encodeURIComponent(appId)}`;
  script.async = true;
  document.head.append(script);
  return waiting;
}
