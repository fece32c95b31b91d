import type { GraphErrorEntry } from './graph-error-entry.ts';

const rejected = { type: 'OAuthException', status: 400 } as const;
const registration = { ...rejected, explainedIn: 'error_data' } as const;

/**
 * Graph's errors while an app and its numbers are set up. Codes are from Meta's pages "Handling errors" (Graph API) and
 * "Error codes" (Cloud API).
 */
export const setupErrors = {
  access_token_invalid: {
    ...rejected,
    status: 401,
    code: 190,
    explanation: 'The access token is missing or not valid',
  },
  access_token_revoked: {
    ...rejected,
    status: 401,
    code: 190,
    subcode: 460,
    explanation: 'Error validating access token: the session was invalidated, for the password was changed',
  },
  access_token_expired: {
    ...rejected,
    status: 401,
    code: 190,
    subcode: 463,
    explanation: 'Error validating access token: the session has expired',
  },
  app_token_required: {
    ...rejected,
    code: 15,
    explanation: 'This method must be called with an app access_token',
  },
  permission_missing: {
    ...rejected,
    status: 403,
    code: 10,
    explanation: 'Application does not have permission for this action',
  },
  permission_denied: {
    ...rejected,
    status: 403,
    code: 200,
    explanation: 'You do not have the permissions that this object needs',
  },
  app_request_limit: {
    ...rejected,
    status: 429,
    code: 4,
    explanation: 'Application request limit reached',
    transient: true,
  },
  callback_not_verified: {
    ...rejected,
    code: 2200,
    explanation: 'Callback verification failed',
  },
  pin_mismatch: {
    ...registration,
    code: 133005,
    title: 'Two step verification PIN Mismatch',
    explanation: 'The PIN is not the one of the two-step verification.',
  },
  number_not_verified: {
    ...registration,
    code: 133006,
    title: 'Phone number re-verification needed',
    explanation: 'The phone number has to be verified before it can be registered.',
  },
  registration_limit: {
    ...registration,
    code: 133016,
    title: 'Account register deregister rate limit exceeded',
    explanation: 'The phone number was registered and deregistered too often within 72 hours.',
  },
} as const satisfies Record<string, GraphErrorEntry>;
