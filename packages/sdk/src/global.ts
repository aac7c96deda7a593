import { init } from "./web/index.ts";
import { VERSION } from "./core/index.ts";

// For pages that load the SDK by a script tag.
Object.assign(globalThis, { Millrace: { init, VERSION } });
