import { isContainer } from '#shared/base/json/json-depth.ts';

/** A JSON text that goes into a response unchanged, without being parsed and written again. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Works like `JSON.stringify` but inserts the text of every {@link RawJson} unchanged. */
export function stringify(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (!isContainer(value) || !holdsRawJson(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(stringify).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stringify(member)}`).join(',')}}`;
}

function holdsRawJson(value: unknown): boolean {
  return value instanceof RawJson || (isContainer(value) && Object.values(value).some(holdsRawJson));
}
