import * as fc from "fast-check";

/** What may stand where something else belongs. */
const strangers = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  3,
  256,
  2 ** 53,
  "",
  " ",
  "\u200b",
  "x",
  "x y",
  "high",
  "check",
  "..",
  "/a",
  [],
  ["a"],
  ["a", "a"],
  [1],
  {},
  { kind: "check" },
  { a: 1 },
];

interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string | number;
}

function listPlaces(document: unknown): Place[] {
  const places: Place[] = [];
  const stack = [document];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const holder = value as Place["holder"];
    for (const key of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
      places.push({ holder, key });
      stack.push((holder as Record<string | number, unknown>)[key]);
    }
  }
  return places;
}

/**
 * The document with one thing changed somewhere: a value replaced, a key dropped, renamed or added,
 * a list item repeated, dropped or moved. Most results are broken, some are not; the guards compare
 * judges, so they need no verdict of their own.
 */
export function breakDocument<T>(document: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc
    .tuple(document, fc.nat(), fc.nat({ max: 5 }), fc.constantFrom(...strangers))
    .map(([valid, at, way, stranger]) => {
      const broken: unknown = structuredClone(valid);
      const places = listPlaces(broken);
      const { holder, key } = places[at % places.length]!;
      const record = holder as Record<string | number, unknown>;
      const value = record[key];
      if (way === 0 || way === 1) record[key] = structuredClone(stranger);
      else if (Array.isArray(holder)) {
        if (way === 2) holder.splice(Number(key), 1);
        else holder.push(structuredClone(value));
      } else if (way === 2) Reflect.deleteProperty(record, key);
      else if (way === 3) record[`${key}s`] = value;
      else if (way === 4) {
        Reflect.deleteProperty(record, key);
        record[String(key).toUpperCase()] = value;
      } else record["extra"] = structuredClone(stranger);
      return broken;
    });
}
