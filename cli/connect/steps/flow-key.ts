import { ensureKeys } from '#shared/domain/flow-keys/key-ring.ts';
import { readRegistration, registerKey } from '#shared/domain/flow-keys/register-key.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import { type KeyUse, keyUseOf } from '../../platform/key-use.ts';
import type { Service } from '../../service.ts';
import { type Outcome, StepFailure, type Steps } from '../steps.ts';

/** Uploads the workspace's Flow key for the number, and creates the key if there is none. */
export async function uploadFlowKey(
  steps: Steps,
  { upstream, flows, now, hint }: Pick<Service, 'upstream' | 'flows' | 'now' | 'hint'>,
  number: PhoneNumber,
): Promise<Outcome> {
  const {
    flowKeys,
    management: { encryption },
  } = upstream();
  const { keys } = await flowKeys.read(number.workspace);
  const registration = await readRegistration(number, keys, encryption);
  if (registration === 'current') return { state: 'already', text: "the platform has the workspace's Flow key." };
  if (registration === 'foreign') {
    const all = await Array.fromAsync(flows.list({ workspace: number.workspace }));
    return leaveForeign(keyUseOf(all), hint`key register ${number.id}`);
  }
  const create = keys.length === 0 ? "create the workspace's Flow key and " : '';
  return steps.change(`${create}upload the Flow key.`, async () => {
    await registerKey(number, await ensureKeys(number.workspace, { flowKeys, now }), encryption);
  });
}

/** A key that is not ours may be in use elsewhere, so only a person can decide to replace it. */
function leaveForeign(keyUse: KeyUse, register: string): Outcome {
  if (keyUse === 'decrypted-by-owner') {
    return {
      state: 'left',
      text: 'the platform has a key that is not ours, as it must be for Flows that their owner decrypts.',
    };
  }
  const replace = `Unless another system uses the number, replace it: ${register}`;
  if (keyUse === 'decrypted-here') {
    throw new StepFailure(
      `The platform has a Flow key that is not ours, so Flows that are decrypted here do not open. ${replace}`,
    );
  }
  return {
    state: 'left',
    text:
      'the platform has a Flow key that is not ours, such as that of another deployment. No Flow in use needs ours, but ' +
      `Flows with an endpoint that are decrypted here can be neither published nor opened without it. ${replace}`,
  };
}
