import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTable } from "../src/table.js";

test("formatTable aligns columns", () => {
  const table = formatTable(["Name", "Sum"], [["Rope", "5.00"], ["Membership", "120.00"]], { right: [1] });
  assert.equal(table, ["Name           Sum", "Rope          5.00", "Membership  120.00"].join("\n"));
});

test("formatTable shows the head of an empty table", () => {
  assert.equal(formatTable(["Name", "Sum"], []), "Name  Sum");
});
