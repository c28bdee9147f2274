/**
 * Remembers what was derived from an immutable value as long as the value lives: within one decision the
 * same question is asked about the same state many times.
 */
export function once<Input extends object, Output>(derive: (input: Input) => Output): (input: Input) => Output {
  const known = new WeakMap<Input, { readonly output: Output }>();
  return (input) => {
    const entry = known.get(input);
    if (entry !== undefined) return entry.output;
    const output = derive(input);
    known.set(input, { output });
    return output;
  };
}

/**
 * The same for a question about several values, remembered for the newest set of them.
 * @param derive its first argument should live as long as the run does.
 */
export function onceOf<First extends object, Rest extends readonly unknown[], Output>(
  derive: (first: First, ...rest: Rest) => Output,
): (first: First, ...rest: Rest) => Output {
  const known = new WeakMap<First, { readonly rest: Rest; readonly output: Output }>();
  return (first, ...rest) => {
    const entry = known.get(first);
    if (entry !== undefined && entry.rest.every((value, index) => value === rest[index])) return entry.output;
    const output = derive(first, ...rest);
    known.set(first, { rest, output });
    return output;
  };
}
