/** https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands */
export interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Parses `::name key=value,key=value::message`; null for any other line. */
export function parseWorkflowCommand(line: string): WorkflowCommand | null {
  const text = line.trimStart();
  const end = text.indexOf("::", 2);
  if (!text.startsWith("::") || end === -1) return null;
  const head = text.slice(2, end);
  const [name = ""] = head.split(" ", 1);
  if (name === "") return null;
  const properties = head.slice(name.length).trim();
  const message = text.slice(end + 2);
  return {
    name: name.toLowerCase(),
    properties: Object.fromEntries(
      properties.split(",").flatMap((property) => {
        const at = property.indexOf("=");
        return at === -1
          ? []
          : [[property.slice(0, at).trim(), unescape(property.slice(at + 1), propertyEscapes)] as const];
      }),
    ),
    message: unescape(message, messageEscapes),
  };
}

const messageEscapes: ReadonlyArray<readonly [string, string]> = [
  ["%0D", "\r"],
  ["%0A", "\n"],
  ["%25", "%"],
];
const propertyEscapes: ReadonlyArray<readonly [string, string]> = [["%3A", ":"], ["%2C", ","], ...messageEscapes];

function unescape(text: string, escapes: ReadonlyArray<readonly [string, string]>): string {
  return escapes.reduce((result, [escaped, plain]) => result.replaceAll(escaped, plain), text);
}
