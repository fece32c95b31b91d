import * as z from 'zod/mini';
import { textsKey } from '#shared/http/members.ts';

export type Json = Record<string, unknown>;

export interface Schema {
  type?: string;
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  [keyword: string]: unknown;
}

/** The members of an object. A text stands for a member that is a text, with this description. */
export type Members = Readonly<Record<string, Schema | string>>;

export const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });
export const number = (description: string): Schema => ({ type: 'number', description });
export const oneOf = (values: readonly string[], description: string): Schema => ({
  type: 'string',
  enum: values,
  description,
});
export const object = (required: readonly string[], members: Members): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, typeof member === 'string' ? text(member) : member]),
  ),
  ...(required.length > 0 && { required }),
});
export const part = (description: string, members: Members): Schema => ({ ...object([], members), description });
export const list = (description: string, items: Schema, limits: Schema = {}): Schema => ({
  type: 'array',
  items,
  ...limits,
  description,
});

/** A reference to a schema among the components. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** The bodies of error responses (see `error-response.ts`). */
export const errorSchemas: Readonly<Record<string, Schema>> = {
  Error: {
    ...object(['message'], { message: 'What went wrong, in the language of the response.' }),
    examples: [{ message: 'Flow not found.' }],
  },
  ValidationFailure: {
    ...object(['message', 'errors'], {
      message: 'The first error, and how many more there are.',
      errors: {
        type: 'object',
        description: 'The errors of each invalid field. Nested fields are dotted: `connection.webrtc.sdp`.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
    }),
    examples: [
      {
        message: 'The name field is required. (and 1 more error)',
        errors: {
          name: ['The name field is required.'],
          'categories.0': ['The selected categories.0 is invalid. Valid values: 1, 2, 3, 4, 5, 6, 7, 8.'],
        },
      },
    ],
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
  return ref(id);
}

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
