import {
  addListener,
  destroyAd,
  initialize,
  isAdReady,
  loadAd,
  registerAdapter,
  showAd,
  showDebugger,
  shutdown,
  VERSION,
} from "./index.ts";

// For pages that load the SDK by a script tag. By name, because a namespace costs a helper of the bundler's.
Object.assign(globalThis, {
  Millrace: {
    addListener,
    destroyAd,
    initialize,
    isAdReady,
    loadAd,
    registerAdapter,
    showAd,
    showDebugger,
    shutdown,
    VERSION,
  },
});
