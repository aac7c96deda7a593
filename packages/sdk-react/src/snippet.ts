/** The app of the instructions: a banner, and a full-screen ad between two levels. `publicUrl` has no trailing slash. */
export const reactSnippet = ({ key, publicUrl }: { key: string; publicUrl: string }) =>
  `// npm install ${publicUrl}/sdk/react.tgz
import { Banner, initialize, useInterstitial } from "@millrace/react";

// Once, before the first component renders.
void initialize({ app: ${JSON.stringify(key)}, platform: "others", endpoint: ${JSON.stringify(publicUrl)} });

export function Level({ onNext }: { onNext: () => void }) {
  // Loaded when the level begins, so that it is there when the level ends.
  const ad = useInterstitial("level_end");
  async function next() {
    if (ad.status === "ready") await ad.show();
    onNext();
  }
  return (
    <>
      <button onClick={() => void next()}>Next level</button>
      <Banner zone="home" size="320x50" />
    </>
  );
}`;
