/** An opening or closing tag of HTML within Markdown, spec.commonmark.org/0.31.2/#raw-html; for use in a regular expression. */
export const TAG =
  "<(?:/[A-Za-z][A-Za-z0-9-]*\\s*|" +
  "[A-Za-z][A-Za-z0-9-]*(?:\\s+[A-Za-z_:][\\w.:-]*(?:\\s*=\\s*(?:[^\\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*\\s*/?)>";
