import { apps } from "../apps/index.ts";
import { save } from "../apps/store.ts";
import { traffic } from "../../../../demo/src/index.ts";

export const signIn = [apps, save, traffic];
