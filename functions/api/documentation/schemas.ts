import * as z from 'zod/mini';
import { textsKey } from '#shared/http/members.ts';

export type Json = Record<string, unknown>;

export interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  [keyword: string]: unknown;
}

/** The bodies of error responses (see `error-response.ts`). */
export const errorSchemas: Readonly<Record<string, Schema>> = {
  Error: {
    type: 'object',
    properties: { message: { type: 'string', description: 'What went wrong, in the language of the response.' } },
    required: ['message'],
  },
  ValidationFailure: {
    type: 'object',
    properties: {
      message: { type: 'string', description: 'The first error, and how many more there are.' },
      errors: {
        type: 'object',
        description: 'The errors of each invalid field. Nested fields are dotted: `connection.webrtc.sdp`.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
    },
    required: ['message', 'errors'],
  },
};

/** Converts a zod schema to JSON Schema. Schemas with an id become components, which the others reference. */
export function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output', schemas: Json): Json {
  const {
    $defs,
    $schema: _,
    id,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Unknown members are removed from responses. They are an error only in the requests that say so.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }) as Json & { $defs?: Record<string, Json>; id?: string };
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] = withoutId(toComponent(definition));
  if (id === undefined) return toComponent(rest);
  schemas[id] = toComponent(rest);
  return { $ref: ref(id) };
}

export const ref = (name: string) => `#/components/schemas/${name}`;

const withoutId = ({ id: _, ...schema }: Json) => schema;

/** Redirects the schema's references from its own definitions to the document's components, and describes its members. */
function toComponent(schema: Json): Json {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text, (_, value) => (value?.[textsKey] ? withDescriptions(value) : value));
}

function withDescriptions({ [textsKey]: texts, ...schema }: Schema): Schema {
  const members = membersOf(schema);
  for (const [path, description] of Object.entries(texts as object)) {
    const described = members.filter((member) => member.path === path);
    if (described.length === 0) throw new Error(`A schema describes ${path}, which it does not have`);
    for (const { member } of described) member.description = description;
  }
  return schema;
}

/** The members of a schema and of those nested in it, with their paths: `status.id`, `categories[].code`. */
export function membersOf(schema: Schema, path = ''): { path: string; member: Schema }[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const here = path === '' ? name : `${path}.${name}`;
    return [{ path: here, member }, ...membersOf(member, here)];
  });
  const items = schema.items ? membersOf(schema.items, `${path}[]`) : [];
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [...own, ...items, ...branches.flatMap((branch) => membersOf(branch, path))];
}

export const contentOf = (schema: Json, example?: unknown, mediaType = 'application/json') => ({
  [mediaType]: { schema, ...(example !== undefined && { example }) },
});
