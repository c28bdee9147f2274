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
