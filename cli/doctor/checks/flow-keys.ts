import type { Registration } from '#shared/domain/flow-keys/register-key.ts';
import type { NumberFacts } from '../facts/numbers.ts';
import { type Commands, type Finding, type Judgement, notice, ok, wrong } from '../finding.ts';

/** Judges the key that the platform has for a number. It matters only for Flows with an endpoint. */
export function judgeKey(
  registration: Registration,
  { number, keyUse }: NumberFacts,
  connect: Pick<Finding, 'command'>,
  { hint }: Commands,
): Judgement {
  const register = { command: hint`key register ${number.id}` };
  const fix = { kind: 'register-key', number: number.id } as const;
  const repair = { ...register, fix };
  const isOurs = keyUse === 'decrypted-here';
  switch (registration) {
    case 'current':
      return ok('the key of the workspace, with a valid signature');
    case 'unknown-number':
      return wrong(
        `The platform does not know the number ${number.phone_number_id}, or the access token may not see it.`,
      );
    case 'mismatch':
      return wrong(
        'The platform rejects the signature of the Flow key, because the number was registered anew: Flows with an ' +
          'endpoint do not open.',
        repair,
      );
    case 'previous':
      return notice(
        'The platform still has the previous key of the workspace, which the next rotation deletes.',
        repair,
      );
    case 'none':
      if (keyUse === 'none') return ok('none, and no Flow in use needs one');
      return wrong(
        'The number has no Flow key, so its Flows with an endpoint do not open.',
        isOurs ? { ...connect, fix } : {},
      );
    case 'foreign':
      if (isOurs) {
        return wrong(
          'The platform has a Flow key that is not ours, so the service cannot decrypt what phones send. Unless ' +
            'another system uses the number, replace it:',
          register,
        );
      }
      return keyUse === 'none'
        ? notice('The platform has a Flow key that is not ours. It matters once a Flow has an endpoint.')
        : ok('a key that is not ours, as it must be for Flows that their owner decrypts');
  }
}
