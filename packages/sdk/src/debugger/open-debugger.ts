import { messageOf } from "../core/index.ts";
import { auctionsView } from "./auctions-view.ts";
import { appAdsLine, checkSetup } from "./check-setup.ts";
import type { DebuggedSdk } from "./debugged-sdk.ts";
import { button, el, lineList, link, section } from "./dom.ts";
import { requestedAds, endpointOf, pageFacts } from "./page-facts.ts";
import { askDebugReply, type DebugReply } from "./read-debug-reply.ts";
import { STYLES } from "./styles.ts";
import { testAds } from "./test-ads.ts";
import { testView } from "./test-view.ts";
import { adapterLines, partnerLines, zoneLines } from "./reply-lines.ts";

interface Debugger {
  open(token?: string): void;
  /** Ends what it redirects, and removes it. */
  end(): void;
}
/** One per page, so that redirection has a single switch, and a new one per start of the SDK, which may be for another app. */
let current: (Debugger & Pick<DebuggedSdk, "options">) | null = null;

export function openDebugger(debugged: DebuggedSdk, token?: string): void {
  if (current?.options !== debugged.options) {
    current?.end();
    current = { ...makeDebugger(debugged), options: debugged.options };
  }
  current.open(token);
}

function makeDebugger(debugged: DebuggedSdk): Debugger {
  let token = "";
  let debugReply: DebugReply | null = null;
  const endpoint = endpointOf(debugged);
  const ads = testAds(debugged, (text) => tests.tell(text));
  const tests = testView(ads);

  const host = el("div", { "data-millrace-debugger": "" });
  const root = host.attachShadow({ mode: "open" });
  if ("adoptedStyleSheets" in root) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    root.adoptedStyleSheets = [sheet];
  }

  const [setup, zones, partners, auctions, test] = [
    "Set-up",
    "Zones",
    "Partners and adapters",
    "Last auctions",
    "Test ads",
  ].map(section) as [Section, Section, Section, Section, Section];
  test.body.append(tests.body);
  const alert = el("p", { class: "alert", role: "alert" });
  const about = el("p", { class: "about", role: "status" });
  const field = el("input", { id: "token", name: "token", autocomplete: "off", spellcheck: "false" });
  const form = el(
    "form",
    {},
    el("label", { for: "token" }, "Debug token"),
    field,
    el("button", { type: "submit" }, "Read the app's settings"),
    about,
    alert,
    link("Make a token in the dashboard", `${endpoint}/apps/${encodeURIComponent(debugged.options.app)}/settings`),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    token = field.value.trim();
    void refresh();
  });
  const title = el("h1", { id: "title", tabindex: "-1" }, "Debugger");
  const dialog = el(
    "dialog",
    { "aria-labelledby": "title" },
    el(
      "header",
      {},
      title,
      button("Refresh", () => void refresh()),
      button("Close", () => dialog.close()),
    ),
    form,
    ...[setup, zones, partners, auctions, test].map(({ element }) => element),
  );
  const badge = button("Debugger: test ads are on", () => open(), { class: "badge" });
  dialog.addEventListener("close", () => {
    if (ads.isRedirecting) root.append(badge);
    else host.remove();
  });
  root.append(dialog);

  let turns = 0;
  async function refresh(): Promise<void> {
    const turn = ++turns;
    let answer: DebugReply | null = null;
    let trouble = "";
    if (token !== "") {
      about.textContent = "Asking the platform…";
      try {
        answer = await ask(requestedAds(debugged.host.calls).flatMap(({ auction }) => auction ?? []));
      } catch (cause) {
        trouble = messageOf(cause);
      }
    }
    // An answer that comes late says nothing about the token that was entered since.
    if (turn !== turns) return;
    debugReply = answer;
    alert.textContent = trouble;
    about.textContent = debugReply
      ? `The token is valid until ${new Date(debugReply.token_expires_at).toLocaleTimeString()}.`
      : "Without a token, you see what this page knows. A token shows the app's settings and each partner's result.";
    await draw();
  }

  const ask = (auctions: string[]): Promise<DebugReply> =>
    askDebugReply(debugged.host.transport, endpoint, { token, auctions });

  async function draw(): Promise<void> {
    const adRequests = requestedAds(debugged.host.calls);
    setup.body.replaceChildren(
      lineList([...checkSetup(await pageFacts(debugged), debugReply), appAdsLine(debugReply)]),
    );
    const lines = zoneLines(debugReply, adRequests);
    zones.body.replaceChildren(lines.length > 0 ? lineList(lines) : el("p", {}, "No zone has been asked for yet."));
    partners.body.replaceChildren(...partnersOf());
    auctions.body.replaceChildren(auctionsView(adRequests, debugReply?.auctions ?? [], endpoint));
    tests.offer(debugReply, token);
  }

  function partnersOf(): Node[] {
    const registered = debugged.sdk.adapterNames() ?? [];
    const names =
      registered.length > 0 ? `Adapters of this app: ${registered.join(", ")}.` : "This app has no adapters.";
    if (!debugReply) return [el("p", {}, `${names} Enter a token to see the partners.`)];
    const { withKeys, withoutKeys } = partnerLines(debugReply);
    const adapters = adapterLines(debugReply, registered);
    return [
      withKeys.length > 0 ? lineList(withKeys) : el("p", {}, "The app has keys at no partner."),
      ...(withoutKeys.length > 0
        ? [el("details", {}, el("summary", {}, `${withoutKeys.length} without keys`), lineList(withoutKeys))]
        : []),
      el("h3", {}, "Adapters"),
      adapters.length > 0 ? lineList(adapters) : el("p", {}, `No line item needs an adapter. ${names}`),
    ];
  }

  function open(newToken = ""): void {
    if (newToken !== "") token = field.value = newToken;
    badge.remove();
    document.body.append(host);
    if (!dialog.open) dialog.showModal();
    title.focus();
    void refresh();
  }
  return {
    open,
    end() {
      ads.end();
      host.remove();
    },
  };
}

type Section = ReturnType<typeof section>;
