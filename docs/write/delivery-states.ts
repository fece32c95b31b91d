/** `npm run diagrams`: writes docs/internals/delivery-states.md from the transitions of deliveries and breakers. */
import { writeFileSync } from 'node:fs';
import type { StateMachine } from '#shared/base/state-machine.ts';
import { deliveryMachine } from '#shared/delivery/delivery.ts';
import { breakerMachine } from '#shared/webhooks/breaker.ts';

type Machine = StateMachine<string, string, string>;

const introduction = `<!-- Generated from the tables of transitions with \`npm run diagrams\`; do not edit. -->
# States of deliveries and circuit breakers

Every change of a delivery or of a circuit breaker is a transition in one of two tables:
[delivery.ts](../../shared/delivery/delivery.ts) and
[breaker.ts](../../shared/webhooks/breaker.ts). A transition is one conditional write
to DynamoDB. The write fails when the record is in none of the states that allow the transition, or when another
condition does not hold. So when several processes attempt the same change, one of them makes it.

The diagrams leave out transitions that keep the state. A dashed border marks a state that a record enters with time,
without a write. Such a record also allows the transitions of its previous state.`;

/** The page as it is committed. */
export function stateDiagrams(): string {
  return [
    introduction,
    '## Delivery',
    `A delivery is one notification for one target. The outcome of an attempt decides which state \`record\` leads to. After
a failed replay, a delivery that had ended ends again, and one that was waiting continues its schedule.`,
    ...describe(deliveryMachine),
    '## Circuit breaker',
    `Each target of a number has its own circuit breaker. A closed one without failures has no record.`,
    ...describe(breakerMachine, ['[*] --> closed']),
  ]
    .join('\n\n')
    .concat('\n');
}

function describe(machine: Machine, beginning: readonly string[] = []): string[] {
  return [diagram(machine, beginning), stateTable(machine)];
}

function diagram({ states, transitions }: Machine, beginning: readonly string[]): string {
  const byTime = Object.entries(states).flatMap(([name, { within }]) => (within ? [{ name, within }] : []));
  const labels = new Map<string, string[]>();
  const draw = (from: string, to: string, label: string) => {
    const edge = `${nodeOf(from)} --> ${nodeOf(to)}`;
    labels.set(edge, [...(labels.get(edge) ?? []), label]);
  };
  for (const [name, { from, to }] of Object.entries(transitions)) {
    if (to === 'unchanged') continue;
    for (const before of from) for (const after of [to].flat()) if (before !== after) draw(before, after, name);
  }
  for (const { name, within } of byTime) draw(within.state, name, within.when);
  const lines = [
    ...Object.keys(states).flatMap((name) => (name.includes('-') ? [`state "${name}" as ${nodeOf(name)}`] : [])),
    ...beginning,
    ...[...labels].map(([edge, names]) => `${edge}: ${names.join(', ')}`),
    'classDef byTime stroke-dasharray: 4',
    ...byTime.map(({ name }) => `class ${nodeOf(name)} byTime`),
  ];
  return ['```mermaid', 'stateDiagram-v2', ...lines.map((line) => `    ${line}`), '```'].join('\n');
}

/** A diagram begins where there is no record. In Mermaid, the name of a node has no hyphens. */
const nodeOf = (state: string) => (state === 'none' ? '[*]' : state.replaceAll('-', '_'));

function stateTable({ states }: Machine): string {
  const rows = Object.entries(states).map(([name, { meaning }]) => `| \`${name}\` | ${meaning} |`);
  return ['| State | Meaning |', '|---|---|', ...rows].join('\n');
}

if (import.meta.main) {
  writeFileSync(new URL('../internals/delivery-states.md', import.meta.url), stateDiagrams());
}
