import type { Place } from "./place.ts";

/** The same place, telling of every method of the port that is called on it. */
export function recordCalls(place: Place, called: Set<string>): Place {
  return {
    ...place,
    port: record(place.port, called),
    repository: record(place.repository, called),
    reviewer: record(place.reviewer, called),
  };
}

function record<Port extends object>(port: Port, called: Set<string>): Port {
  return new Proxy(port, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        called.add(String(name));
        return Reflect.apply(value, target, args);
      };
    },
  });
}
