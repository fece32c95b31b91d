/** Something secret would be in a file. */
export class LeakError extends Error {}
