import type { ResponseFinding } from '#shared/flow-json/response/endpoint-response.ts';
import type { ErrorClass } from '../egress/sender.ts';

/**
 * What is wrong with an exchange: the customer's endpoint sends no response or a bad one, or the request cannot be
 * made.
 */
export type Fault =
  | ErrorClass
  | ResponseFinding['code']
  | 'undecryptable'
  | 'unsigned'
  | 'invalid-flow-token'
  | 'status'
  | 'cannot-decrypt'
  | 'bad-signature'
  | 'too-large'
  | 'not-base64'
  | 'not-encrypted'
  | 'not-json'
  | 'too-deep'
  | 'not-active'
  | 'no-screen'
  | 'unknown-screen'
  | 'invalid-data';
