/** New module: months of the calendar. */
export async function apply({ workshop }) {
  await workshop.write("src/months.js", await workshop.recall("months/months.js"));
  await workshop.write("test/months.test.js", await workshop.recall("months/months.test.js"));
  return {
    summary: "Added src/months.js with parseMonth, monthOf and monthsBetween, and their tests.",
    context: {
      services: [{ name: "months", path: "src/months.js", purpose: "Months are `YYYY-MM` texts that compare as text." }],
      patterns: ["Input from people is checked by a parse function that throws a RangeError."],
    },
  };
}
