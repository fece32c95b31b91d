/** What the fuzzer reads in an OpenAPI document. */
export interface Schema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

interface Body {
  /** Its content type; undefined if it has no body. */
  readonly type: string | undefined;
  readonly schema: Schema | undefined;
  readonly example?: unknown;
  /** The values that `x-error-code` can have; undefined if the response has no such header. */
  readonly errorCodes?: readonly string[] | undefined;
  /** The names of the headers that the response always has, in lower case. */
  readonly requiredHeaders?: readonly string[];
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Whether it demands an access token. */
  readonly secured: boolean;
  readonly parameters: readonly Parameter[];
  readonly request: Body | undefined;
  /** By status. */
  readonly responses: ReadonlyMap<number, Body>;
  /** The steps from the root of the document to the operation. */
  readonly pointer: readonly string[];
}

interface RawContent {
  readonly content?: Readonly<Record<string, { schema: Schema; example?: unknown }>>;
  readonly headers?: Readonly<Record<string, { description?: string; required?: boolean }>>;
}

interface RawOperation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: RawContent;
  readonly responses: Readonly<Record<string, RawContent>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export function readOperations({ paths }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, raw]): Operation => ({
        id: raw.operationId,
        method: method.toUpperCase(),
        path,
        secured: raw.security.length > 0,
        parameters: raw.parameters,
        request: raw.requestBody && bodyOf(raw.requestBody),
        responses: new Map(Object.entries(raw.responses).map(([status, body]) => [Number(status), bodyOf(body)])),
        pointer: ['paths', path, method],
      }),
    ),
  );
}

function bodyOf({ content = {}, headers = {} }: RawContent): Body {
  const [[type, { schema, example }] = [undefined, { schema: undefined, example: undefined }]] =
    Object.entries(content);
  const { 'X-Error-Code': code } = headers;
  const errorCodes = code && [...(code.description ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  const requiredHeaders = Object.entries(headers).flatMap(([name, { required }]) =>
    required ? [name.toLowerCase()] : [],
  );
  return { type, schema, example, errorCodes, requiredHeaders };
}

/** The operation that a method and a raw path lead to; fixed steps come before parameters. */
export function routeOf(operations: readonly Operation[], method: string, rawPath: string): Operation | undefined {
  const steps = rawPath.split('/');
  const fixed = ({ path }: Operation) => path.split('/').filter((step) => !step.startsWith('{')).length;
  return operations
    .filter((operation) => operation.method === method && matches(operation.path.split('/'), steps))
    .sort((a, b) => fixed(b) - fixed(a))[0];
}

const matches = (template: readonly string[], steps: readonly string[]) =>
  template.length === steps.length &&
  template.every((step, index) => (step.startsWith('{') ? steps[index] !== '' : step === steps[index]));
