import type { Reference } from '../document/expression.ts';
import { type InputKind, inputKindOf } from '../document/input-kinds.ts';
import { textOf } from '../document/read-flow.ts';
import type { ValueType } from './expression-types.ts';
import type { ComponentSource, FlowSource, ScreenSource } from './flow-source.ts';
import type { Located } from './located.ts';

/** What a reference points to, as far as the document says, or why it points to nothing. */
export type Resolved =
  | {
      readonly type: ValueType;
      /** The declared schema, for data. */
      readonly schema?: Located;
    }
  | {
      readonly fault: string;
      /** It points inside an array, whose items have no names. */
      readonly isInArray?: true;
    };

const typesOfInputs: Readonly<Record<InputKind, ValueType>> = {
  string: 'string',
  strings: 'array',
  boolean: 'boolean',
  period: 'unknown',
  media: 'array',
};

const dataTypes: ReadonlyMap<string, ValueType> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['array', 'array'],
  ['object', 'object'],
]);

/** The type that the schema of a field declares; undefined if it is not valid. */
export function declaredType(schema: Located): ValueType | undefined {
  return dataTypes.get(schema.member('type')?.string ?? '');
}

/** Finds what a reference on a screen points to. */
export function resolveReference(reference: Reference, screen: ScreenSource, flow: FlowSource): Resolved {
  if (reference.screen === undefined) return resolveOn(screen, reference);
  if (reference.screen === screen.id) {
    return { fault: `Property '${reference.text}' cannot refer to its own screen '${screen.id}' by name.` };
  }
  const other = flow.screensById.get(reference.screen);
  return other === undefined ? { fault: `Unknown screen '${reference.screen}'.` } : resolveOn(other, reference);
}

function resolveOn(screen: ScreenSource, reference: Reference): Resolved {
  return reference.source === 'data' ? resolveData(screen, reference) : resolveInput(screen, reference);
}

function resolveInput(screen: ScreenSource, { text, path: [name, ...rest] }: Reference): Resolved {
  const input = screen.inputs.get(name);
  if (input === undefined) return { fault: `Missing Form component ${text} for screen '${screen.id}'.` };
  return { type: rest.length > 0 ? 'unknown' : typeOfInput(input) };
}

/** The input for a number holds text that is compared as a number, so either type is accepted. */
function typeOfInput(component: ComponentSource): ValueType {
  const input = inputKindOf(component.type);
  if (textOf(component.node, 'input-type') === 'number') return 'unknown';
  return input === undefined ? 'unknown' : typesOfInputs[input];
}

function resolveData(screen: ScreenSource, { text, path: [first, ...rest] }: Reference): Resolved {
  let schema = screen.data.get(first);
  for (const name of rest) {
    if (schema && declaredType(schema) === 'array')
      return { fault: `Property '${text}' cannot point inside an array.`, isInArray: true };
    schema = schema?.member('properties')?.member(name);
  }
  if (schema === undefined)
    return { fault: `Missing dynamic data '${text}' in the data model for screen ${screen.id}.` };
  return { type: declaredType(schema) ?? 'unknown', schema };
}
