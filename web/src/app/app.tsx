import { MantineProvider, localStorageColorSchemeManager } from "@mantine/core";
import { fetchErrorText } from "@millrace/contract";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { causeOf, messageOf } from "../shared/call-api.ts";
import { SupportText } from "../shared/support-text.tsx";
import { NotifyProvider } from "../ui/notify/notify.tsx";
import { ErrorWordsProvider } from "../ui/states/error-words.tsx";
import { cssVariablesResolver, theme } from "../ui/theme/theme.ts";
import { beginFirstPage } from "./begin-first-page.ts";
import { makeQueryClient } from "./query-client.ts";
import { makeRouter } from "./router.tsx";
import { sessionEnd } from "./session-end.ts";

const queryClient = makeQueryClient({
  refused: (by) => session.refused(by),
  answered: () => session.answered(),
});
const router = makeRouter(queryClient);
const session = sessionEnd(router, queryClient);

beginFirstPage(router, queryClient);

// The same key as the script in index.html, which sets the scheme before the first paint.
const schemeManager = localStorageColorSchemeManager({ key: "millrace-color-scheme" });

const errorWords = {
  sentence: (error: unknown) => <SupportText text={fetchErrorText(causeOf(error))} />,
  plain: messageOf,
  retry: "Try again",
};

/** The nonce under which the server lets styles into this page. */
const styleNonce = (): string => document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={schemeManager}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <ErrorWordsProvider value={errorWords}>
        <QueryClientProvider client={queryClient}>
          <NotifyProvider>
            <RouterProvider router={router} />
          </NotifyProvider>
        </QueryClientProvider>
      </ErrorWordsProvider>
    </MantineProvider>
  );
}
