import * as Millrace from "./index.ts";

// For pages that load the SDK by a script tag.
Object.assign(globalThis, { Millrace: { ...Millrace } });
