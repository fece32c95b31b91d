import { isObject } from '#shared/base/json/json-object.ts';
import type { Json } from '../recording/recording.ts';

/** One way in which the simulated platform differs from the recorded one. */
export interface Difference {
  readonly kind: 'absent' | 'extra' | 'type' | 'status' | 'code' | 'event';
  /** The member, such as `contacts[0].user_id`. */
  readonly member: string;
  readonly recorded?: unknown;
  readonly simulated?: unknown;
}

/**
 * Compares the members of two values and their types, and the codes of errors wherever they occur. Other values do not
 * count: most of them only identify, or follow from what the recorded account holds.
 */
export function compareShapes(recorded: Json, simulated: Json, member = ''): Difference[] {
  const types = [typeOf(recorded), typeOf(simulated)];
  if (types[0] !== types[1]) return [{ kind: 'type', member, recorded: types[0], simulated: types[1] }];
  if (Array.isArray(recorded) && Array.isArray(simulated)) return compareLists(recorded, simulated, member);
  return isObject(recorded) && isObject(simulated) ? compareMembers(recorded, simulated, member) : [];
}

/** Each recorded item needs its like. How many there are depends on the data. */
function compareLists(recorded: readonly Json[], simulated: readonly Json[], member: string): Difference[] {
  if (recorded.length > 0 && simulated.length === 0) return [{ kind: 'absent', member: `${member}[0]` }];
  const all = recorded.flatMap((item, index) => closest(item, simulated, `${member}[${index}]`));
  return all.filter((one, index) => all.findIndex((other) => isSame(one, other)) === index);
}

/** The differences to the item that differs least. */
function closest(recorded: Json, candidates: readonly Json[], member: string): Difference[] {
  return fewest(candidates, (candidate) => compareShapes(recorded, candidate, member));
}

/** The differences to the candidate that has the fewest. */
export function fewest<C>(candidates: readonly C[], differencesTo: (candidate: C) => Difference[]): Difference[] {
  let best: Difference[] | undefined;
  for (const candidate of candidates) {
    const differences = differencesTo(candidate);
    if (best === undefined || differences.length < best.length) best = differences;
    if (best.length === 0) break;
  }
  return best ?? [];
}

function compareMembers(
  recorded: Readonly<Record<string, Json>>,
  simulated: Readonly<Record<string, Json>>,
  member: string,
): Difference[] {
  const at = (name: string) => (member === '' ? name : `${member}.${name}`);
  const names = new Set([...Object.keys(recorded), ...Object.keys(simulated)]);
  return [...names].flatMap((name): Difference[] => {
    if (!Object.hasOwn(simulated, name)) return [{ kind: 'absent', member: at(name) }];
    if (!Object.hasOwn(recorded, name)) return [{ kind: 'extra', member: at(name) }];
    const [one, other] = [recorded[name], simulated[name]];
    if (isErrorCode(name, one) && isErrorCode(name, other) && one !== other) {
      return [{ kind: 'code', member: at(name), recorded: one, simulated: other }];
    }
    return compareShapes(one, other, at(name));
  });
}

/** A `code` that is a text is of something else, such as a language. */
const isErrorCode = (name: string, value: Json) =>
  (name === 'code' || name === 'error_subcode') && typeof value === 'number';

const isSame = (one: Difference, other: Difference) =>
  one.kind === other.kind && one.member.replaceAll(/\[\d+\]/g, '[]') === other.member.replaceAll(/\[\d+\]/g, '[]');

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'list' : typeof value;
}
