import type * as z from 'zod/mini';
import { isObject } from '#shared/base/json/json-object.ts';

type Schema = z.core.$ZodType;
type Definition = z.core.$ZodTypes['_zod']['def'];
type ObjectDefinition = Extract<Definition, { type: 'object' }>;

/** A member of a request's body that does not exist. */
export interface UnknownMember {
  /** The names and positions that lead to it. */
  path: readonly string[];
  /** The members that exist in its place. */
  existing: readonly string[];
}

/**
 * Finds the members of a body that its schema does not name. An object is open if its schema says so (`looseObject`,
 * `record`, `custom`). Members that only `shown` names are not a mistake: a client may send back what it has read.
 *
 * @param shown the schemas of the responses that show what the body sets
 */
export function unknownMembers(
  value: unknown,
  body: readonly Schema[],
  shown: readonly Schema[],
  path: readonly string[] = [],
): UnknownMember[] {
  const forms = body.flatMap(formsOf);
  const shownForms = shown.flatMap(formsOf);
  if (Array.isArray(value)) {
    const [item, shownItem] = [forms.flatMap(itemOf), shownForms.flatMap(itemOf)];
    return value.flatMap((element, index) => unknownMembers(element, item, shownItem, [...path, String(index)]));
  }
  if (!isObject(value)) return [];
  const objects = forms.filter(isObjectForm);
  const isClosed = objects.length > 0 && !forms.some(isOpen);
  const existing = namesOf(objects);
  const ignored = namesOf(shownForms.filter(isObjectForm));
  return Object.entries(value).flatMap(([name, member]) => {
    const here = [...path, name];
    if (existing.includes(name))
      return unknownMembers(member, membersOf(forms, name), membersOf(shownForms, name), here);
    return isClosed && !ignored.includes(name) ? [{ path: here, existing }] : [];
  });
}

/** The forms that a value may have, without what stands around them. */
function formsOf(schema: Schema): Definition[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return formsOf(def.innerType);
    case 'pipe':
      // Only what a transform returns has a schema.
      return formsOf(def.in._zod.def.type === 'transform' ? def.out : def.in);
    case 'union':
      return def.options.flatMap(formsOf);
    default:
      return [def];
  }
}

const isObjectForm = (form: Definition): form is ObjectDefinition => form.type === 'object';

const openTypes: readonly Definition['type'][] = ['any', 'custom', 'record', 'unknown'];

const isOpen = (form: Definition) =>
  isObjectForm(form) ? form.catchall?._zod.def.type === 'unknown' : openTypes.includes(form.type);

const itemOf = (form: Definition): Schema[] => (form.type === 'array' ? [form.element] : []);

const namesOf = (objects: readonly ObjectDefinition[]) => objects.flatMap(({ shape }) => Object.keys(shape));

const membersOf = (forms: readonly Definition[], name: string): Schema[] =>
  forms.flatMap((form) => {
    const member = isObjectForm(form) && Object.hasOwn(form.shape, name) ? form.shape[name] : undefined;
    return member ? [member] : [];
  });
