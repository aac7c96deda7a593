/** The app of the instructions. `publicUrl` has no trailing slash. */
export const reactNativeSnippet = ({ key, publicUrl }: { key: string; publicUrl: string }) =>
  `// npm install ${publicUrl}/sdk/react-native.tgz react-native-webview @react-native-async-storage/async-storage
import { createMillrace } from "@millrace/react-native";
import AsyncStorage from "@react-native-async-storage/async-storage";
import { AppState, BackHandler, Button, Dimensions, Linking, Platform, View } from "react-native";
import { WebView } from "react-native-webview";

// Once, outside of components.
const Millrace = createMillrace({ AppState, AsyncStorage, BackHandler, Dimensions, Linking, Platform, View, WebView });
void Millrace.initialize({ app: ${JSON.stringify(key)}, endpoint: ${JSON.stringify(publicUrl)} });

export function Level({ onNext }: { onNext: () => void }) {
  // Loaded when the level begins, so that it is there when the level ends.
  const ad = Millrace.useInterstitial("level_end");
  async function next() {
    if (ad.status === "ready") await ad.show();
    onNext();
  }
  return (
    <View style={{ flex: 1 }}>
      <Button title="Next level" onPress={() => void next()} />
      <Millrace.Banner zone="home" size="320x50" />
      {/* Full-screen ads appear here: the last child of the app's root. */}
      <Millrace.AdScreen />
    </View>
  );
}`;
