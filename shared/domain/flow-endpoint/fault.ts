import type { ReplyProblem } from '#shared/flow-json/reply/endpoint-reply.ts';
import type { ErrorClass } from '../egress/sender.ts';

/**
 * What is wrong with an exchange: no answer of the customer's endpoint, a bad one, or a request that cannot be made.
 */
export type Fault =
  | ErrorClass
  | ReplyProblem['code']
  | 'undecryptable'
  | 'unsigned'
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
