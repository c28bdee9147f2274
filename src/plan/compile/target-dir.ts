/** The deepest folder that holds all the files, or `.`. */
export function deriveTargetDir(files: readonly string[]): string {
  let common: readonly string[] | null = null;
  for (const file of files) {
    const folders: readonly string[] = file.split("/").slice(0, -1);
    if (common === null) common = folders;
    else {
      const different: number = common.findIndex((folder, index) => folder !== folders[index]);
      if (different !== -1) common = common.slice(0, different);
    }
  }
  return common === null || common.length === 0 ? "." : common.join("/");
}
