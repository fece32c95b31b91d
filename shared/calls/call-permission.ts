import type * as z from 'zod/mini';
import type { PhoneNumber } from '#shared/webhooks/number.ts';
import type { CalledContact, CallPermission } from './calls-graph.ts';
import type { callPermissionSchema } from './schema.ts';

/** Builds the API's call permission object. */
export function toPermissionObject(
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
