/** Why a text is no name of a git branch (rules of `git check-ref-format --branch`), or `null` when it is one. */
export function checkBranchName(name: string): string | null {
  if (name === "") return "is empty";
  if (name.startsWith("-")) return "starts with `-`";
  if (name === "@") return "is `@`";
  if (name === "HEAD") return "is `HEAD`";
  if (name.startsWith("refs/")) return "starts with `refs/` (write the short name)";
  if (/[\p{Cc} ~^:?*[\\]/u.test(name)) return "contains a blank, a control character or one of `~ ^ : ? * [ \\`";
  if (name.includes("..")) return "contains `..`";
  if (name.includes("@{")) return "contains `@{`";
  if (name.endsWith(".")) return "ends with a dot";
  if (!name.isWellFormed()) return "contains half of a surrogate pair";
  for (const component of name.split("/")) {
    if (component === "") return "has an empty component (a `/` at an end, or two in a row)";
    if (component.startsWith(".")) return "has a component that starts with a dot";
    if (component.endsWith(".lock")) return "has a component that ends with `.lock`";
  }
  return null;
}
