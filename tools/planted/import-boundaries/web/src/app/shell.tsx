import { Chart } from "../areas/apps/parts/chart.tsx";

export function page() {
  return (
    <main className="page">
      <Chart />
    </main>
  );
}
