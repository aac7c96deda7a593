import { AppFilter } from "../../contract/src/index.ts";

export const cells = [AppFilter];
