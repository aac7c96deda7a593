import { save } from "./areas/apps/store.ts";
import { page } from "../../web/src/app/shell.tsx";
import { spec } from "../../e2e/support/platform.ts";
import { clock } from "./clock.test.ts";

export const start = [save, page, spec, clock];
