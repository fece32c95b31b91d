import { invalidField } from '#shared/base/service-error.ts';
import { type FindContext, type FoundObject, templatePages } from './find-object.ts';
import type { GraphQuery } from './graph-objects-graph.ts';
import { missingObject } from './graph-path-error.ts';

/** The parameters that name templates by their ids, and not by the path. */
const parameters = ['hsm_id', 'hsm_ids', 'template_ids'];

/** Ids with commas between them, perhaps as a list in JSON. */
const list = /^\[?\s*"?\d{1,32}"?(?:\s*,\s*"?\d{1,32}"?)*\s*\]?$/;

/** The most ids, as many as one read of the table takes. */
const maxIds = 100;

/** Requires that the templates that a query names are in the account of the path. Others do not exist. */
export async function requireNamedTemplates(
  { method, object, query }: { method: string; object: FoundObject; query: GraphQuery },
  context: FindContext,
): Promise<void> {
  const named = parameters.filter((name) => query[name] !== undefined);
  const sought = new Set(named.flatMap((name) => idsIn(name, query[name])));
  if (sought.size > maxIds) throw invalidField(named.join(', '), 'max_array', { max: maxIds });
  if (sought.size === 0) return;
  for (const id of await context.objects.templatesIn(object.id, [...sought], context.now())) sought.delete(id);
  if (sought.size === 0) return;
  for await (const ids of templatePages(object.id, object.workspace, context)) {
    for (const id of ids) sought.delete(id);
    if (sought.size === 0) return;
  }
  throw missingObject(method, [...sought].join(', '));
}

function idsIn(name: string, value = ''): string[] {
  if (!list.test(value)) throw invalidField(name, 'format');
  return value.match(/\d+/g) ?? [];
}
