/** Hears of a change: of what (`messages`, `requests`, …), the key of the value, and the value now, if it still exists. */
export type Watch = (topic: string, key: string, value: unknown) => void;
