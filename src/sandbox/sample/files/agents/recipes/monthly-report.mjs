/** New module: the monthly report. The hasty way loses entries without a category. */
export async function apply({ workshop, careful }) {
  const variant = careful ? "report" : "report-hasty";
  await workshop.write("src/report.js", await workshop.recall(`monthly-report/${variant}.js`));
  await workshop.write("test/report.test.js", await workshop.recall(`monthly-report/${variant}.test.js`));
  return {
    summary: "Added src/report.js: buildReport gives income, spending and the sum of each category of a month.",
    context: {
      services: [{ name: "report", path: "src/report.js", purpose: "Sums of a month, in all and by category." }],
      patterns: [],
    },
  };
}
