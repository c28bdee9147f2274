/** Code and formulas that GitHub does not show as they are written. */

/** Languages of code blocks that GitHub draws: docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/creating-diagrams */
const drawn = new Set(["mermaid", "geojson", "topojson", "stl", "math"]);

/** @param className what the Markdown parser made of the block's info string. */
export function readLanguage(className: unknown): string {
  const names = Array.isArray(className) ? className : [];
  const name = names.find((one): one is string => typeof one === "string" && one.startsWith("language-"));
  const language = name?.slice("language-".length) ?? "";
  return /^[A-Za-z0-9+#.-]{1,15}$/u.test(language) ? language.toLowerCase() : "";
}

export function isDrawn(language: string): boolean {
  return drawn.has(language);
}

/** Formulas may print nothing, or white on white. Those that only hold ordinary symbols stay. */
export function leaveOutFormulas(text: string): string {
  return text
    .replaceAll(/\$\$[^$]*\$\$/gu, (formula) => (isPlainFormula(formula) ? formula : "[formula left out]"))
    .replaceAll(/\$(?=\S)[^$\n]*\S\$/gu, (formula) => (isPlainFormula(formula) ? formula : "[formula left out]"));
}

/** Commands that place, colour, size or define are what hides text. */
function isPlainFormula(formula: string): boolean {
  const commands = formula.match(/\\[A-Za-z]+/gu) ?? [];
  return commands.every((command) => plainCommands.has(command.slice(1))) && !formula.includes("%");
}

const plainCommands = new Set(
  (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi omega " +
    "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega frac sqrt sum prod int lim log ln exp sin cos tan min max " +
    "leq geq neq le ge ne approx equiv times cdot div pm infty in notin subset cup cap forall exists to rightarrow " +
    "leftarrow left right mathbb mathrm ldots cdots lfloor rfloor lceil rceil langle rangle partial nabla"
  ).split(" "),
);
