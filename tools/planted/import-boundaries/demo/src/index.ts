import { save } from "../../server/src/areas/apps/store.ts";
import { page } from "../../web/src/app/shell.tsx";

export const traffic = [save, page];
