import type { ErrorClass } from '../outgoing/errors.ts';

/** What is wrong with an exchange: no answer of the customer's endpoint, a bad one, or a request that cannot be read. */
export type Fault =
  | ErrorClass
  | 'undecryptable'
  | 'status'
  | 'too-large'
  | 'not-base64'
  | 'not-json'
  | 'not-active'
  | 'no-screen'
  | 'unknown-screen'
  | 'invalid-data'
  | 'undeclared-data';
