import type { Action, ActionWork } from "../../engine/action.ts";

/** An action of one kind. */
export type WorkOf<Kind extends ActionWork["kind"]> = Action & Extract<ActionWork, { kind: Kind }>;
