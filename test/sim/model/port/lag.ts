/** How old the replica is that answers a read, in milliseconds. */
export type Lag = (method: string) => number;

export const NO_LAG: Lag = () => 0;
