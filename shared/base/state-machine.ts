/**
 * A state machine as data. `aws/write.ts` compiles its transitions to conditional writes; here they are evaluated on a record
 * that was read, to say why a write was rejected.
 */
export interface StateMachine<State extends string, Condition extends string, Name extends string> {
  states: Readonly<Record<State, StateRule<NoInfer<State>>>>;
  /** What a transition can require besides the state. One of the facts is enough. */
  conditions: Readonly<Record<Condition, readonly Fact[]>>;
  transitions: Readonly<Record<Name, Transition<NoInfer<State>, NoInfer<Condition>>>>;
}

/** A record is in a state when all of these facts hold. */
export interface StateRule<State extends string> {
  facts: readonly Fact[];
  /** A text for the generated page. */
  meaning: string;
  /** A record enters this state from another one with time, without a write, and then is in both. */
  within?: { state: State; when: string };
}

export interface Transition<State extends string, Condition extends string> {
  /** The states that allow it. */
  from: readonly State[];
  /** The next state; a list where the outcome of an attempt decides between them. */
  to: State | readonly State[] | 'unchanged';
  /** All of these conditions must hold, too. */
  when?: readonly Condition[];
}

/**
 * What an attribute must be (`lease.holder` is a member of `lease`). A value that begins with a colon is an argument of
 * the transition. As in DynamoDB, `lacks` holds for an attribute that is absent; `=` and `<=` do not.
 */
export type Fact =
  | readonly [attribute: string, is: 'present' | 'absent']
  | readonly [attribute: string, is: '=' | '<=' | 'lacks', value: string];

/** The arguments of a transition, by the names that facts use. */
export interface Arguments {
  readonly [name: string]: unknown;
}

/** Checks that the names in a machine agree with each other. */
export function stateMachine<const State extends string, const Condition extends string, const Name extends string>(
  machine: StateMachine<State, Condition, Name>,
): StateMachine<State, Condition, Name> {
  return machine;
}

/** Whether a record is in a state. A state can also describe that there is no record. */
export function isIn<State extends string>(
  { states }: Pick<StateMachine<State, string, string>, 'states'>,
  state: NoInfer<State>,
  record: object | undefined,
  args: Arguments = {},
): boolean {
  return states[state].facts.every((fact) => holds(fact, record, args));
}

/** Returns what prevents a transition of a record: its state, or the conditions that do not hold. */
export function unmet<State extends string, Condition extends string, Name extends string>(
  machine: StateMachine<State, Condition, Name>,
  name: NoInfer<Name>,
  record: object | undefined,
  args: Arguments,
): ('state' | Condition)[] {
  const { from, when = [] } = machine.transitions[name];
  const isAllowed = from.some((state) => isIn(machine, state, record, args));
  const conditions = when.filter(
    (condition) => !machine.conditions[condition].some((fact) => holds(fact, record, args)),
  );
  return isAllowed ? conditions : ['state', ...conditions];
}

function holds([attribute, is, value]: Fact, record: object | undefined, args: Arguments): boolean {
  const actual = valueAt(record, attribute);
  const expected = value?.startsWith(':') ? args[value.slice(1)] : value;
  switch (is) {
    case 'present':
      return actual !== undefined;
    case 'absent':
      return actual === undefined;
    case '=':
      return actual !== undefined && actual === expected;
    case '<=':
      return typeof actual === 'number' && typeof expected === 'number' && actual <= expected;
    case 'lacks':
      return !(Array.isArray(actual) && actual.includes(expected));
  }
}

function valueAt(record: object | undefined, attribute: string): unknown {
  return attribute
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], record);
}
