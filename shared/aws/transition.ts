import type { Arguments, Fact, StateMachine } from '#shared/base/state-machine.ts';
import { pathAlias } from './update.ts';

interface Aliases {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

/** The parts of a command that express a condition. */
export interface Condition extends Aliases {
  ConditionExpression?: string;
}

/** The parts of an `UpdateCommand` that express the change. */
export interface Update extends Aliases {
  UpdateExpression: string;
}

interface Options {
  /** The stored names of attributes, where they differ from the machine's. */
  storedAs?: Readonly<Record<string, string>>;
  /** The attribute that holds the machine's attributes, if they are not the item's own. */
  within?: string;
}

/** The condition of a transition: one of the states that allow it, and every further condition. */
export function conditionOf<State extends string, Name extends string>(
  machine: StateMachine<State, string, Name>,
  name: NoInfer<Name>,
  args: Arguments,
  { storedAs = {}, within }: Options = {},
): Condition {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};

  function path(attribute: string): string {
    const stored = [...(within ? [within] : []), storedAs[attribute] ?? attribute].join('.');
    for (const part of stored.split('.')) names[`#${part}`] = part;
    return pathAlias(stored);
  }

  /** Uses separate aliases because those of the update name the values that it sets. */
  function aliasOf(value: string): string {
    const alias = value.startsWith(':') ? `:if_${value.slice(1)}` : `:is_${value}`;
    values[alias] = actualValue(value, args, name);
    return alias;
  }

  function termOf([attribute, is, value]: Fact): string {
    switch (is) {
      case 'present':
        return `attribute_exists(${path(attribute)})`;
      case 'absent':
        return `attribute_not_exists(${path(attribute)})`;
      case 'lacks':
        return `NOT contains(${path(attribute)}, ${aliasOf(value)})`;
      default:
        return `${path(attribute)} ${is} ${aliasOf(value)}`;
    }
  }

  return {
    ConditionExpression: requirements(machine, name, termOf).join(' AND '),
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

/** What a transition requires: one of its states, and each of its conditions. */
function requirements<State extends string, Name extends string>(
  { states, conditions, transitions }: StateMachine<State, string, Name>,
  name: NoInfer<Name>,
  termOf: (fact: Fact) => string,
): string[] {
  const { from, when = [] } = transitions[name];
  const oneOfTheStates = joined(
    'OR',
    from.map((state) => joined('AND', states[state].facts.map(termOf))),
  );
  return [oneOfTheStates, ...when.map((condition) => joined('OR', (conditions[condition] ?? []).map(termOf)))];
}

/** A value that begins with a colon stands for an argument. */
function actualValue(value: string, args: Arguments, transition: string): unknown {
  const actual = value.startsWith(':') ? args[value.slice(1)] : value;
  if (actual === undefined) throw new TypeError(`The transition ${transition} needs the argument ${value}`);
  return actual;
}

/** Adds brackets only around several terms: DynamoDB rejects redundant ones. */
function joined(operator: 'AND' | 'OR', terms: readonly string[]): string {
  const [only = ''] = terms;
  return terms.length > 1 ? `(${terms.join(` ${operator} `)})` : only;
}

/** Combines an update with a condition and merges their aliases. */
export function onCondition(update: Update, condition: Condition): Update & Condition {
  const names = update.ExpressionAttributeNames ?? condition.ExpressionAttributeNames;
  const values = update.ExpressionAttributeValues ?? condition.ExpressionAttributeValues;
  return {
    ...update,
    ...condition,
    ...(names && { ExpressionAttributeNames: { ...names, ...condition.ExpressionAttributeNames } }),
    ...(values && { ExpressionAttributeValues: { ...values, ...condition.ExpressionAttributeValues } }),
  };
}
