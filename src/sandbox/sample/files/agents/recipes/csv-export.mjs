/** New module: comma-separated values. */
export async function apply({ workshop }) {
  await workshop.write("src/csv.js", await workshop.recall("csv-export/csv.js"));
  await workshop.write("test/csv.test.js", await workshop.recall("csv-export/csv.test.js"));
  return {
    summary: "Added src/csv.js: formatCsv quotes as RFC 4180 says and keeps cells from being run as formulas.",
    context: { services: [{ name: "csv", path: "src/csv.js", purpose: "Rows as comma-separated values." }], patterns: [] },
  };
}
