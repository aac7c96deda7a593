/** The script of the instructions. `publicUrl` has no trailing slash. */
export const capacitorSnippet = ({ key, publicUrl }: { key: string; publicUrl: string }) =>
  `// npm install ${publicUrl}/sdk/capacitor.tgz
import { Millrace } from "@millrace/capacitor";

await Millrace.initialize({ app: ${JSON.stringify(key)}, endpoint: ${JSON.stringify(publicUrl)} });

// The banner loads its ads itself, and refreshes them.
void Millrace.showBanner({ zone: "home", size: "320x50", position: "bottom" });

// Load a full-screen ad before you need it, and show it between two levels or pages.
void Millrace.loadAd({ zone: "level_end", format: "interstitial" });
export async function showFullScreenAd() {
  const { ready } = await Millrace.isAdReady({ zone: "level_end" });
  if (ready) await Millrace.showAd({ zone: "level_end" });
}`;
