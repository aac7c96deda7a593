import { chart } from "../areas/apps/parts/chart.tsx";

export const page = chart;
