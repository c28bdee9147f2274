import { CONFIG_PATH } from "../../contracts/names.ts";
import { checkSafePath } from "../../contracts/safe-path.ts";

export type ParsedExtends =
  | { readonly outcome: "file"; readonly repository: string; readonly path: string }
  | { readonly outcome: "problem"; readonly why: string };

/** GitHub's repository names: letters, digits, `-`, `_`, `.` (docs.github.com/en/repositories, "Creating a new repository"). */
const repositoryPattern = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,100}$/u;

/** `repository`, `owner/repository`, each with `:path` where the file is called otherwise there. */
export function parseExtends(text: string, about: { readonly owner: string; readonly name: string }): ParsedExtends {
  const colon = text.indexOf(":");
  const named = colon === -1 ? text : text.slice(0, colon);
  const path = colon === -1 ? CONFIG_PATH : text.slice(colon + 1);
  const [repository = "", owner = about.owner, ...rest] = named.split("/").toReversed();
  if (rest.length > 0 || !repositoryPattern.test(repository))
    return refuse(`"${text.slice(0, 200)}" is not of the form \`repository\` or \`repository:path\``);
  if (owner.toLowerCase() !== about.owner.toLowerCase())
    return refuse(`only files of ${about.owner} can be extended, and "${owner.slice(0, 100)}" is somebody else`);
  const wrong = checkSafePath(path);
  if (wrong !== null || !/\.ya?ml$/u.test(path))
    return refuse(`the path "${path.slice(0, 200)}" ${wrong ?? "does not end in .yml or .yaml"}`);
  if (repository.toLowerCase() === about.name.toLowerCase() && path === CONFIG_PATH)
    return refuse("the file extends itself");
  return { outcome: "file", repository, path };
}

function refuse(why: string): ParsedExtends {
  return { outcome: "problem", why };
}
