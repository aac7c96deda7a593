import { list } from "../../payments/index.ts";
import { page } from "../../../app/shell.tsx";
import { start } from "../../../../../server/src/app.ts";

export const Chart = () => <div title="chart">{String([list, page, start])}</div>;
