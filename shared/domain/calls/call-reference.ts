import { createHash } from 'node:crypto';

/** Names a call in the log. Its id contains the phone number of the contact, in base64. */
export function callReference(callId: string): string {
  return createHash('sha256').update(callId).digest('hex').slice(0, 16);
}
