import type { Plugin, Rolldown } from "vite";
import { PAGES, type PageName } from "../packages/contract/src/pages.ts";

interface FirstPage {
  page: PageName;
  /** The module that draws it. */
  module: string;
  /** The call that its first figures come from, as the page sends it with no filter but the days. */
  call: string;
}

/** The pages that people open first. */
const FIRST_PAGES: readonly FirstPage[] = [
  {
    page: "apps",
    module: "/apps/pages/apps-page.tsx",
    call: "/apps.json?$days&compare=previous&search=&p=0&order=revenue&order_type=desc",
  },
  {
    page: "publisherPerformance",
    module: "/statistics/pages/publisher-performance-page.tsx",
    call: "/apps/performance/stats?$days&func=totals",
  },
  {
    page: "appPerformance",
    module: "/statistics/pages/app-performance-page.tsx",
    call: "/apps/$uuid/stats.json?$days&func=totals",
  },
];

/**
 * Sends a page's first requests with the document: the session, the first figures and the scripts of the page at its address.
 * Modules would ask for them only once they run. A browser sends them if somebody has signed in there (`remembered-login.ts`),
 * and shows the frame of the page (`first-frame.css`) until the application draws it.
 */
export const firstRequests: Plugin = {
  name: "first-requests",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle = {} }) {
      const pages = FIRST_PAGES.map(({ page, module, call }) => ({
        pattern: `^${PAGES[page].path.replace("$uuid", "([^/]+)")}$`,
        call,
        files: filesOf(bundle, module),
      }));
      const script = `(${begin.toString()})(${JSON.stringify(pages)})`;
      return html.replace(PLACE, () => `<script nonce="__CSP_NONCE__">${script}</script>`);
    },
  },
};

/** In index.html, above the styles: a script below them would wait for them. */
const PLACE = "<!-- first requests -->";

type Bundle = Rolldown.OutputBundle;

/** The files of a page that the entry does not load itself. Throws if no chunk has the page. */
function filesOf(bundle: Bundle, module: string): string[] {
  const chunks = Object.values(bundle).filter((part) => part.type === "chunk");
  const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
  if (!page) throw new Error(`no chunk draws ${module}`);
  const first = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((entry) => [...closureOf(bundle, entry)]));
  return [...closureOf(bundle, page)].filter((file) => !first.has(file));
}

/** A chunk's file, those that it imports, and the styles of them all. */
export function closureOf(bundle: Bundle, chunk: Rolldown.OutputChunk, found = new Set<string>()): Set<string> {
  if (found.has(chunk.fileName)) return found;
  found.add(chunk.fileName);
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  for (const name of chunk.imports) {
    const part = bundle[name];
    if (part?.type === "chunk") closureOf(bundle, part, found);
  }
  return found;
}

/** Runs in the page, as text: it refers to nothing outside itself. */
function begin(pages: { pattern: string; call: string; files: string[] }[]): void {
  let expires = 0;
  try {
    expires = Number(localStorage.getItem("millrace-login-expires"));
  } catch {
    return;
  }
  const { pathname, search } = location;
  const page = pages.find(({ pattern }) => new RegExp(pattern).test(pathname));
  if (!page || expires <= Date.now()) return;
  document.documentElement.dataset["firstFrame"] = "";
  const early = (window.earlyReplies = new Map<string, Promise<Response>>());
  const send = (address: string) => {
    const reply = fetch(address, { headers: { accept: "application/json" } });
    // Whoever takes the reply sees why it failed.
    reply.catch(() => undefined);
    early.set(address, reply);
  };
  send("/session.json");
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const days = search === "" ? `?ds=${day(1)}&de=${day(0)}` : search;
  // Any other filter is part of the call in a way that only the page knows.
  if (/^\?ds=[\d-]{10}&de=[\d-]{10}$/.test(days)) {
    const [, uuid = ""] = new RegExp(page.pattern).exec(pathname) ?? [];
    send(page.call.replace("$uuid", uuid).replace("$days", days.slice(1)));
  }
  const styles: HTMLLinkElement[] = [];
  for (const file of page.files) {
    const link = document.createElement("link");
    link.href = `/${file}`;
    link.rel = "modulepreload";
    if (file.endsWith(".css")) {
      link.rel = "preload";
      link.as = "style";
      styles.push(link);
    }
    document.head.append(link);
  }
  // They apply after the document's own, and before the first module runs, which would otherwise wait for each.
  document.addEventListener("readystatechange", () => {
    for (const link of styles.splice(0)) {
      link.rel = "stylesheet";
      document.head.append(link);
    }
  });
}
