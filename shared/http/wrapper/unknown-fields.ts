import { nearestName } from '#shared/base/nearest-name.ts';
import { shortened } from '#shared/base/shortened.ts';
import type { FieldError } from '#shared/domain/errors/field-error.ts';
import type { Contract } from '../contract/contract.ts';
import { unknownMembers } from './unknown-members.ts';

/** An error repeats no more characters of a name that the client wrote. */
const maxNameCharacters = 64;

/** The maximum number of unknown members that an error names. */
const maxMembers = 20;

/** Returns a check for the members of a body that do not exist, or `undefined` if the contract leaves them out. */
export function unknownFieldCheck(contract: Contract) {
  if (contract.ignoresUnknownMembers) return undefined;
  const shown = schemasThatShow(contract);
  return (body: unknown, schema: NonNullable<Contract['body']>): FieldError[] =>
    unknownMembers(body, [schema], shown)
      .slice(0, maxMembers)
      .map(({ path, existing }) => unknownField(path, existing));
}

/** The schemas of the responses that show what the body sets: those to a creation or a replacement. */
function schemasThatShow({ method, responses, alsoShownAs }: Contract) {
  const shown = method === 'PUT' ? responses[200]?.body : responses[201]?.body;
  return [shown, alsoShownAs].filter((schema) => schema !== undefined);
}

function unknownField(path: readonly string[], existing: readonly string[]): FieldError {
  const nearest = nearestName(path.at(-1) ?? '', existing);
  const name = path.map((member) => shortened(member, maxNameCharacters)).join('.');
  return nearest === undefined
    ? { field: name, rule: 'unknown_member_among', values: { name, existing: existing.join(', ') } }
    : { field: name, rule: 'unknown_member_near', values: { name, nearest } };
}

/** Finds the parameters of a query that misspell a known one. All others are ignored: proxies add some of their own. */
export function misspelledParameters(names: readonly string[], existing: readonly string[]): FieldError[] {
  return names.flatMap((name): FieldError[] => {
    const nearest = existing.includes(name) ? undefined : nearestName(name, existing);
    return nearest === undefined ? [] : [{ field: name, rule: 'unknown_parameter_near', values: { name, nearest } }];
  });
}
