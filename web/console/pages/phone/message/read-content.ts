/** Readers of content that the platform or a sample of it describes, and that may be anything. */

export type Members = Readonly<Record<string, unknown>>;

export const members = (value: unknown): Members => Object(value);

export const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.map(members) : []);

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
