import type * as z from 'zod/mini';
import { ServiceError } from '#shared/base/service-error.ts';
import { explainCallError } from '#shared/calls/call-errors.ts';
import type { CalledContact, CallPermission } from '#shared/calls/calls-graph.ts';
import type { callPermissionSchema } from '#shared/calls/schema.ts';
import { createHandler, ok } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { type CallDependencies, callClient } from './compose.ts';
import { getCallPermission as contract } from './contracts.ts';

export const makeHandler = (dependencies: CallDependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, workspace, query }) => {
      if (workspace.waba_id === null) throw new ServiceError('workspace.no-business-account');
      const contact = { to: query.user_wa_id, recipient: query.recipient };
      const permission = await dependencies.upstream(workspace).permission(number.phone_number_id, contact);
      return ok(toPermissionObject(number, workspace.waba_id, contact, permission));
    },
    { explain: explainCallError },
  );

function toPermissionObject(
  number: PhoneNumber,
  wabaId: string,
  contact: CalledContact,
  { permission, actions }: CallPermission,
): z.input<typeof callPermissionSchema> {
  const { status } = permission;
  const { expiration_time = 0 } = status === 'temporary' ? permission : {};
  return {
    number: {
      uuid: number.id,
      waba_id: wabaId,
      ...(contact.to !== undefined && { user_wa_id: contact.to }),
      ...(contact.recipient !== undefined && { recipient: contact.recipient }),
      to: number.display_phone_number.replace(/\D/g, ''),
    },
    calling: { messaging_product: 'whatsapp', permission: { status, expiration_time }, actions },
  };
}

export const start = serve(contract, makeHandler, { upstream: callClient });
