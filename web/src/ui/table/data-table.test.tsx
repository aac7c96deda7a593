import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderPart } from "../../testing/render-page.tsx";
import { type Column, DataTable } from "./data-table.tsx";

interface Row {
  name: string;
  revenue: number;
}
const columns: Column<Row, "name" | "revenue">[] = [
  { id: "name", head: "Name", order: "name", cell: (row) => row.name },
  {
    id: "revenue",
    head: "Revenue",
    order: "revenue",
    numeric: true,
    cell: (row) => `$${row.revenue}`,
    exact: (row) => `$${row.revenue}.000000`,
  },
  { id: "note", head: "Note", cell: () => "–" },
];
const rows = [
  { name: "b", revenue: 2 },
  { name: "a", revenue: 1 },
];

function show(ordering: { by: "name" | "revenue"; direction: "asc" | "desc" }) {
  const onOrder = vi.fn<(ordering: { by: string; direction: string }) => void>();
  renderPart(
    <DataTable
      caption="Apps"
      columns={columns}
      rows={rows}
      rowId={(row) => row.name}
      total={{ name: "Total", revenue: 3 }}
      ordering={ordering}
      onOrder={onOrder}
    />,
  );
  return onOrder;
}

test("rows keep their order, and the total is last", () => {
  show({ by: "name", direction: "desc" });
  expect(screen.getAllByRole("rowheader").map((cell) => cell.textContent)).toEqual(["b", "a", "Total"]);
});

test("figures are exact on hover", () => {
  show({ by: "name", direction: "asc" });
  expect(screen.getByText("$2").getAttribute("title")).toBe("$2.000000");
});

test("a column of figures is ordered descending first, then ascending", async () => {
  const first = show({ by: "name", direction: "asc" });
  await userEvent.click(screen.getByRole("button", { name: /Revenue/ }));
  expect(first).toHaveBeenCalledExactlyOnceWith({ by: "revenue", direction: "desc" });
});

test("the ordered column announces its order, and its head reverses it", async () => {
  const onOrder = show({ by: "revenue", direction: "desc" });
  const head = screen.getByRole("columnheader", { name: /Revenue/ });
  expect(head.getAttribute("aria-sort")).toBe("descending");
  await userEvent.click(within(head).getByRole("button"));
  expect(onOrder).toHaveBeenCalledExactlyOnceWith({ by: "revenue", direction: "asc" });
});

test("a column without an order has no button", () => {
  show({ by: "name", direction: "asc" });
  expect(screen.queryByRole("button", { name: /Note/ })).toBeNull();
});

test("what is below a row spans all columns, and the other rows have nothing below them", () => {
  renderPart(
    <DataTable
      caption="Apps"
      columns={columns}
      rows={rows}
      rowId={(row) => row.name}
      below={({ name }) => (name === "b" ? <p>why</p> : null)}
    />,
  );
  const all = screen.getAllByRole("row") as HTMLTableRowElement[];
  expect(all.map(({ textContent }) => textContent)).toEqual(["NameRevenueNote", "b$2–", "why", "a$1–"]);
  expect(all[2]?.cells[0]?.colSpan).toBe(3);
});
