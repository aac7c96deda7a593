import { defineCall } from "./define-call.ts";

export const listApps = defineCall({ method: "GET", path: "/apps.json" });
export const deleteApp = defineCall({ method: "GET", path: "/delete" });
export const addApp = defineCall({ method: "POST", path: "/apps" });
