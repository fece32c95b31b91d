import * as z from 'zod/mini';

/** A request to the control surface. */
export interface ControlCall {
  readonly method: string;
  readonly pathname: string;
  readonly body: Uint8Array;
}

/** A refusal of the control surface. */
export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The JSON of a body that fits the schema; otherwise throws a 400 that says what is wrong. */
export function readJson<Schema extends z.ZodMiniType>(schema: Schema, body: Uint8Array): z.output<Schema> {
  const parsed = z.safeParse(schema, parseJson(body));
  if (parsed.success) return parsed.data;
  throw new ControlError(400, z.prettifyError(parsed.error));
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new ControlError(400, 'The body is not valid JSON');
  }
}
