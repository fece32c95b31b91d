import * as z from 'zod/mini';
import type { ReadOnlyMember } from './members.ts';

/** What a schema carries in the registry until the API description puts each text on its member. */
export const textsKey = 'x-texts';

/**
 * A text for each member, and for members of members by their path: `status.id`, `categories[].code`. Members that a
 * `PUT` only takes back have theirs already.
 */
type Texts<S extends z.ZodMiniObject> = () => {
  readonly [Name in keyof S['shape'] as S['shape'][Name] extends ReadOnlyMember ? never : Name]: string;
};

/**
 * Describes the members of a schema for the API description. Calls are marked as pure and give the texts in a function,
 * so esbuild leaves both out of every bundle: `get-openapi` has the document that the build made of them.
 */
export function describeMembers<S extends z.ZodMiniObject>(schema: S, texts: Texts<S>): void {
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), [textsKey]: texts() });
}

/** Describes the members of a schema that has a name in the API description. */
export function describeComponent<S extends z.ZodMiniObject>(id: string, schema: S, texts: Texts<S>): void {
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
  describeMembers(schema, texts);
}
