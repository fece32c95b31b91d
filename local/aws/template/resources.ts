import * as z from 'zod/mini';
import type { Resolve } from './resolve.ts';
import { type Template, TemplateError, type TemplateResource } from './template.ts';

export interface ReadResource<Properties> {
  readonly logicalId: string;
  /** The properties in the schema, resolved and checked. Others are not resolved. */
  readonly properties: Properties;
  /** The resource as it is in the template. References are found in unresolved properties. */
  readonly resource: TemplateResource;
}

/** Every logical id in an unresolved expression, at any depth, in order. */
function mentionedIds(expression: unknown): string[] {
  if (typeof expression !== 'object' || expression === null) return [];
  return Object.entries(expression).flatMap(([key, argument]) => {
    if (key === 'Ref') return [String(argument)];
    return key === 'Fn::GetAtt' ? [String(argument[0])] : mentionedIds(argument);
  });
}

/** The logical id of the one resource of a type that an expression refers to. */
export function referenceTo(template: Template, type: string, expression: unknown): string {
  const [logicalId, ...others] = mentionedIds(expression).filter((id) => template.resources.get(id)?.Type === type);
  if (logicalId !== undefined && others.length === 0) return logicalId;
  throw new TemplateError(`expected a reference to one ${type}, not ${JSON.stringify(expression)}`);
}

function readProperties<Schema extends z.ZodMiniObject>(
  schema: Schema,
  resource: TemplateResource,
  resolve: Resolve,
): z.output<Schema> {
  const wanted = Object.keys(schema.shape).filter((name) => Object.hasOwn(resource.Properties, name));
  const parsed = schema.safeParse(Object.fromEntries(wanted.map((name) => [name, resolve(resource.Properties[name])])));
  if (!parsed.success) throw new TemplateError(z.prettifyError(parsed.error));
  return parsed.data;
}

/** Maps each resource of a type. A {@link TemplateError} names the resource that failed. */
export function mapResources<Schema extends z.ZodMiniObject, View>(
  template: Template,
  resolve: Resolve,
  type: string,
  schema: Schema,
  view: (resource: ReadResource<z.output<Schema>>) => View,
): View[] {
  return [...template.resources]
    .filter(([, resource]) => resource.Type === type)
    .map(([logicalId, resource]) => {
      try {
        return view({ logicalId, resource, properties: readProperties(schema, resource, resolve) });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new TemplateError(`${logicalId} (${type}): ${reason}`, { cause: error });
      }
    });
}
