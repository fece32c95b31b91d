import { own } from '#shared/base/json/json-object.ts';
import { permitsCalls, type Workspace } from '#shared/domain/accounts/workspace.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { Service } from '../../service.ts';
import { type Outcome, StepFailure, type Steps } from '../steps.ts';

/** Turns calls on: at the platform, and for the number here. */
export async function turnCallingOn(
  steps: Steps,
  { upstream, numbers, hint }: Pick<Service, 'upstream' | 'numbers' | 'hint'>,
  { number, workspace }: { number: PhoneNumber; workspace: Workspace },
): Promise<Outcome> {
  const { calling } = upstream().management;
  const settings = await calling.read(number.phone_number_id);
  if (own(settings.sip, 'status') === 'ENABLED') {
    throw new StepFailure(
      'SIP is on for the number, so calls do not come through this service. Turn SIP off with the ' +
        "call settings of the number (WhatsApp Manager, or this service's operation), then run this again.",
    );
  }
  const isOnThere = settings.status === 'ENABLED';
  const further = permitsCalls(workspace)
    ? ''
    : ` Calls of the workspace are still off: ${hint`workspace calling ${workspace.id} on`}`;
  if (isOnThere && number.calling_enabled) return { state: 'already', text: `calls are on.${further}` };
  return steps.change(`turn calls on ${isOnThere ? 'here' : 'at the platform and here'}.${further}`, async () => {
    if (!isOnThere) await calling.change(number.phone_number_id, { status: 'ENABLED' });
    if (!number.calling_enabled) await numbers.set(number.id, { calling_enabled: true });
  });
}
