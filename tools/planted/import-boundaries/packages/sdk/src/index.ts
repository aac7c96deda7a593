import { Session } from "@millrace/contract";
import { count } from "../../units/src/index.ts";

export const all = [Session, count];
