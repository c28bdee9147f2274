/** The files derived from code, each with the text it must have. */

export interface GeneratedFile {
  /** Repository-relative path. */
  readonly path: string;
  readonly text: string;
}

export async function generatedFiles(): Promise<readonly GeneratedFile[]> {
  return [];
}
