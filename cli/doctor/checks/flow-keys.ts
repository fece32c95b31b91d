import type { AccountFacts } from '../facts/accounts.ts';
import type { NumberFacts, NumberKey } from '../facts/numbers.ts';
import { type Commands, type Finding, type Judgement, notice, ok, unknownBecause, wrong } from '../finding.ts';

const later = 'It matters once a Flow has an endpoint.';

/** Judges the key that the platform has for a number. It matters only for Flows with an endpoint. */
export function judgeKey(
  { registration, workspaceHasKey }: NumberKey,
  facts: NumberFacts,
  account: AccountFacts | undefined,
  connect: Pick<Finding, 'command'>,
  { hint }: Commands,
): Judgement {
  const { number, keyUse } = facts;
  const register = { command: hint`key register ${number.id}` };
  const fix = { kind: 'register-key', number: number.id } as const;
  const repair = { ...register, fix };
  const isOurs = keyUse === 'decrypted-here';
  const isNeeded = keyUse !== 'none';
  switch (registration) {
    case 'current':
      return ok('the key of the workspace, with a valid signature');
    case 'unknown-number':
      return judgeUnknown(facts, account);
    case 'mismatch': {
      const text = 'The platform rejects the signature of the Flow key, because the number was registered anew';
      return isNeeded
        ? wrong(`${text}: Flows with an endpoint do not open.`, repair)
        : notice(`${text}. ${later}`, repair);
    }
    case 'previous':
      return notice(
        'The platform still has the previous key of the workspace, which the next rotation deletes.',
        repair,
      );
    case 'none':
      if (isNeeded) {
        return wrong(
          'The number has no Flow key, so its Flows with an endpoint do not open.',
          isOurs ? { ...connect, fix } : {},
        );
      }
      if (!workspaceHasKey) return ok('none, and no Flow in use needs one');
      return notice(`The number has no Flow key, although its workspace has one. ${later}`, { ...connect, fix });
    case 'foreign':
      if (isOurs) {
        return wrong(
          'The platform has a Flow key that is not ours, so the service cannot decrypt what phones send. Unless ' +
            'another system uses the number, replace it:',
          register,
        );
      }
      return isNeeded
        ? ok('a key that is not ours, as it must be for Flows that their owner decrypts')
        : notice(`The platform has a Flow key that is not ours. ${later}`);
  }
}

/** A token that may not see the account sees none of its numbers, which says nothing about this one. */
function judgeUnknown({ number, platform }: NumberFacts, account: AccountFacts | undefined): Judgement {
  if (account?.account.isKnown === false && !platform.isKnown) return unknownBecause(platform.because);
  return wrong(`The platform does not know the number ${number.phone_number_id}, or the access token may not see it.`);
}
