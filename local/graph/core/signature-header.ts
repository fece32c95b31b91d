import { createHmac } from 'node:crypto';

/** The header with which the upstream signs the body of a request. */
export function signatureHeader(body: Buffer | string, appSecret: string): Record<string, string> {
  return { 'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}` };
}
