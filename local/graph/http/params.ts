import { isObject, parseJson } from '#shared/base/json.ts';
import { GraphError } from './graph-errors.ts';

/** The parameters in a request's body: strings and files of a form, or the values of a JSON object. */
export type Params = ReadonlyMap<string, unknown>;

export class UploadedFile {
  readonly bytes: Uint8Array;
  readonly type: string;

  constructor(bytes: Uint8Array, type: string) {
    this.bytes = bytes;
    this.type = type;
  }
}

/** The parameters in a body, or the reason why they cannot be read. The body is undefined if it was too large. */
export async function readParams(body: Uint8Array | undefined, contentType?: string): Promise<Params | GraphError> {
  if (body === undefined) return new GraphError('body_too_large');
  try {
    return await parseParams(body, contentType);
  } catch (error) {
    if (error instanceof GraphError) return error;
    throw error;
  }
}

/** Reads a JSON, multipart or urlencoded body. Graph reads no parameters from other types. */
async function parseParams(body: Uint8Array, contentType = ''): Promise<Params> {
  const [mediaType] = contentType.toLowerCase().split(';', 1);
  switch (mediaType?.trim()) {
    case 'application/json':
      return parseJsonBody(body);
    case 'multipart/form-data':
    case 'application/x-www-form-urlencoded':
      return parseForm(body, contentType);
    default:
      return new Map();
  }
}

function parseJsonBody(body: Uint8Array): Params {
  if (body.length === 0) return new Map();
  const value = parseJson(new TextDecoder().decode(body));
  if (value === undefined) throw new GraphError('invalid_parameter', 'The body is not valid JSON');
  if (!isObject(value)) {
    throw new GraphError('invalid_parameter', 'The body is not a JSON object');
  }
  return new Map(Object.entries(value));
}

async function parseForm(body: Uint8Array, contentType: string): Promise<Params> {
  try {
    const form = await new Response(body as Uint8Array<ArrayBuffer>, {
      headers: { 'content-type': contentType },
    }).formData();
    return new Map(await Promise.all([...form].map(readFormEntry)));
  } catch {
    throw new GraphError('invalid_parameter', 'The body is not a valid form');
  }
}

async function readFormEntry([name, value]: [string, string | File]): Promise<[string, string | UploadedFile]> {
  return [name, typeof value === 'string' ? value : new UploadedFile(await value.bytes(), value.type)];
}

/** These readers treat `null` as absent. They throw Graph's "Invalid parameter" for a value of the wrong type. */
export function stringParam(params: Params, name: string): string | undefined {
  const value = params.get(name) ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw wrongType(name, 'a string');
}

export function booleanParam(params: Params, name: string): boolean | undefined {
  const value = params.get(name) ?? undefined;
  if (value === undefined || typeof value === 'boolean') return value;
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw wrongType(name, 'a boolean');
}

/** Accepts a JSON array, or a string that contains one, as in forms. */
export function stringListParam(params: Params, name: string): readonly string[] | undefined {
  const value = params.get(name) ?? undefined;
  if (value === undefined) return undefined;
  const list = typeof value === 'string' ? parseJson(value) : value;
  if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
  throw wrongType(name, 'an array of strings');
}

/** Accepts a JSON object, or a string that contains one, as in forms. */
export function objectParam(params: Params, name: string): Params | undefined {
  const value = params.get(name) ?? undefined;
  if (value === undefined) return undefined;
  const object = typeof value === 'string' ? parseJson(value) : value;
  if (isObject(object)) return new Map(Object.entries(object));
  throw wrongType(name, 'an object');
}

export function assertProduct(params: Params): void {
  if (stringParam(params, 'messaging_product') === 'whatsapp') return;
  throw new GraphError('invalid_parameter', 'The parameter messaging_product is required. It has to be whatsapp.');
}

export function fileParam(params: Params, name: string): UploadedFile {
  const value = params.get(name);
  if (value instanceof UploadedFile) return value;
  throw missing(name);
}

export function missing(name: string): GraphError {
  return new GraphError('invalid_parameter', `The parameter ${name} is required`);
}

function wrongType(name: string, expected: string): GraphError {
  return new GraphError('invalid_parameter', `Param ${name} must be ${expected}`);
}
