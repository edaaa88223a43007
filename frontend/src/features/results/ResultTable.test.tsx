import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { ResultTable } from "./ResultTable";

const COLUMNS = [
  { name: "region", type: "text" },
  { name: "amount", type: "numeric(30,2)" },
];
const ROWS = [
  ["Iberia", "12345678901234567890.01"],
  ["Italy", null],
  ["", "12345678901234567890.02"],
  ["Nordics", "-3.50"],
];

const firstColumn = () =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => within(row).getAllByRole("cell")[0]?.textContent);

describe("a result as a table", () => {
  it("tells a missing value from an empty text, and shows every digit", () => {
    render(<ResultTable columns={COLUMNS} rows={ROWS} label="Amounts" />);
    expect(screen.getByText("null")).toHaveAttribute("title", "No value (NULL)");
    expect(screen.getByText("“”")).toHaveAttribute("title", "An empty text");
    expect(screen.getByText("12,345,678,901,234,567,890.01")).toBeInTheDocument();
    expect(screen.getByText("−3.50")).toBeInTheDocument();
    expect(screen.getByRole("columnheader", { name: /amount/ })).toHaveTextContent("numeric(30,2)");
  });

  it("sorts by a press of a head, by every digit, with missing values last", async () => {
    render(<ResultTable columns={COLUMNS} rows={ROWS} label="Amounts" />);
    const head = screen.getByRole("columnheader", { name: /amount/ });
    await userEvent.click(within(head).getByRole("button"));
    expect(head).toHaveAttribute("aria-sort", "descending");
    expect(firstColumn()).toEqual(["“”", "Iberia", "Nordics", "Italy"]);
    await userEvent.click(within(head).getByRole("button"));
    expect(head).toHaveAttribute("aria-sort", "ascending");
    expect(firstColumn()).toEqual(["Nordics", "Iberia", "“”", "Italy"]);
  });

  it("asks for an order, and does not make one, where it has only a part", async () => {
    const onSort = vi.fn();
    render(<ResultTable columns={COLUMNS} rows={ROWS} label="Amounts" onSort={onSort} />);
    await userEvent.click(screen.getByRole("button", { name: /amount/ }));
    expect(onSort).toHaveBeenCalledWith({ column: 1, descending: true });
    expect(firstColumn()).toEqual(["Iberia", "Italy", "“”", "Nordics"]);
  });

  it("keeps the cited cell with its row when it sorts", async () => {
    render(<ResultTable columns={COLUMNS} rows={ROWS} label="Amounts" cited={new Set(["3:1"])} />);
    await userEvent.click(screen.getByRole("button", { name: /amount/ }));
    expect(screen.getByRole("mark")).toHaveTextContent("−3.50");
  });

  it("opens a value that is too long for its cell, whole", async () => {
    const value = `begin ${"x".repeat(5000)} end`;
    render(<ResultTable columns={COLUMNS} rows={[[value, "1"]]} label="Long" />);
    await userEvent.click(screen.getByRole("button", { name: /^begin x+…$/ }));
    expect(await screen.findByRole("dialog", { name: "region" })).toHaveTextContent(value);
  });

  it("says how large it is where only a part is in the page, and when it is empty", () => {
    const many = Array.from({ length: 1000 }, (_row, at) => [`r${at}`, String(at)]);
    const { rerender } = render(<ResultTable columns={COLUMNS} rows={many} label="Many" />);
    expect(screen.getByRole("table")).toHaveAttribute("aria-rowcount", "1001");
    expect(screen.queryAllByRole("row").length).toBeLessThan(200);
    rerender(<ResultTable columns={COLUMNS} rows={[]} label="None" />);
    expect(screen.getByText("No rows.")).toBeInTheDocument();
    rerender(<ResultTable columns={[]} rows={[[], []]} label="No columns" />);
    expect(screen.getByText("2 rows without columns.")).toBeInTheDocument();
  });
});
