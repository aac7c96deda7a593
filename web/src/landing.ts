// The landing page is read without a script. The application is loaded for its auth dialogs, or to redirect a signed-in
// user; it then runs in this document.

/** As `remembered-login.ts` stores it; importing that would load half of the application. */
const LOGIN_KEY = "millrace-login-expires";

let started: Promise<unknown> | undefined;
const startApp = () => (started ??= loadApp());

/** The build names the application's script and its styles in the document. An `import()` would load Vite's own code first. */
async function loadApp(): Promise<unknown> {
  const [script = "", ...styles] = JSON.parse(document.documentElement.dataset["app"] ?? "[]") as string[];
  await Promise.all(
    styles.map((file) =>
      inserted(Object.assign(document.createElement("link"), { rel: "stylesheet", href: `/${file}` })),
    ),
  );
  return inserted(Object.assign(document.createElement("script"), { type: "module", src: `/${script}` }));
}

/** Puts an element at the start of the head, so that this page's own styles come last; resolves once it is loaded. */
const inserted = (element: HTMLElement): Promise<unknown> =>
  new Promise((resolve, reject) => {
    element.addEventListener("load", resolve);
    element.addEventListener("error", () => reject(new Error("a part of the application could not be loaded")));
    document.head.prepend(element);
  });

/** Opens an auth form over the page, at an address of its own that keeps where the visitor wanted to go. */
function openForm(event: MouseEvent): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-auth]") : null;
  if (!link) return;
  event.preventDefault();
  const address = new URL(location.href);
  address.searchParams.set("auth", link.dataset["auth"] ?? "");
  for (const [name, value] of new URL(link.href).searchParams) address.searchParams.set(name, value);
  history.pushState(null, "", address);
  // Without the application, the form has a page of its own.
  startApp().catch(() => location.assign(link.href));
}
document.addEventListener("click", openForm);

/** Without storage nobody is remembered. */
function mayBeLoggedIn(): boolean {
  try {
    return Number(localStorage.getItem(LOGIN_KEY) ?? 0) > Date.now();
  } catch {
    return false;
  }
}

const stay = () => document.documentElement.classList.remove("leaving");
if (mayBeLoggedIn()) {
  // The application redirects them, or stays here if their session is over.
  document.documentElement.classList.add("leaving");
  startApp().catch(stay);
} else if (new URLSearchParams(location.search).has("auth")) {
  startApp().catch(stay);
}
