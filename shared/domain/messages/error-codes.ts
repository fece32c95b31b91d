import { type KnownCode, knownErrors } from '../errors/known-codes.ts';

/** Limits that the upstream counts by the hour or longer do not end within a minute. */
const retryAfterSeconds = 3_600;

/** The platform makes a new template available within ten minutes. */
const templateSyncSeconds = 600;

/**
 * Codes with which the upstream rejects messages or fails to deliver them. Meanings are from Meta's page
 * support/error-codes, as of September 11, 2026, below
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/, except:
 * - groups/error-codes: 131020, 131041, 131207, 131208; 131215 has only its title from there ("not eligible"), and the
 *   conditions are those of the page groups
 * - direct-send/api-reference: 139200
 * - the section on the API for marketing messages of support/error-codes: 131055, 132018, 134100, 134101,
 *   134102
 * - no source was found for 132008: its text rests on its neighbours, which are all about templates
 */
export const messageErrorCodes = [
  { code: 4, failure: 'rate-limited', meaning: 'too-many-requests' },
  { code: 33, failure: 'rejected', meaning: 'number-not-found' },
  { code: 100, failure: 'rejected', meaning: 'invalid-value' },
  { code: 368, failure: 'rejected', meaning: 'account-restricted' },
  { code: 80007, failure: 'rate-limited', meaning: 'too-many-requests' },
  { code: 130403, failure: 'rejected', meaning: 'contact-blocked' },
  { code: 130429, failure: 'rate-limited', meaning: 'sending-too-fast' },
  { code: 130472, failure: 'rejected', meaning: 'contact-in-experiment' },
  { code: 130497, failure: 'rejected', meaning: 'country-restricted' },
  { code: 131000, failure: 'unavailable', meaning: 'failed-on-the-platform' },
  { code: 131008, failure: 'rejected', meaning: 'missing-parameter' },
  { code: 131009, failure: 'rejected', meaning: 'invalid-value' },
  { code: 131016, failure: 'unavailable', meaning: 'platform-overloaded' },
  { code: 131020, failure: 'rejected', meaning: 'group-without-members' },
  { code: 131021, failure: 'rejected', meaning: 'to-is-sender' },
  { code: 131026, failure: 'rejected', meaning: 'undeliverable' },
  { code: 131030, failure: 'rejected', meaning: 'test-number' },
  { code: 131031, failure: 'rejected', meaning: 'account-restricted' },
  { code: 131037, failure: 'rejected', meaning: 'display-name-not-approved' },
  { code: 131041, failure: 'rejected', meaning: 'group-not-found' },
  { code: 131042, failure: 'rejected', meaning: 'payment-problem' },
  { code: 131044, failure: 'rejected', meaning: 'payment-problem' },
  { code: 131045, failure: 'rejected', meaning: 'registration-failed' },
  { code: 131047, failure: 'rejected', meaning: 'window-closed' },
  { code: 131048, failure: 'rate-limited', meaning: 'spam-limit', retryAfterSeconds },
  { code: 131049, failure: 'rejected', meaning: 'marketing-limit' },
  { code: 131050, failure: 'rejected', meaning: 'contact-stopped-marketing' },
  { code: 131051, failure: 'rejected', meaning: 'type-not-supported' },
  { code: 131052, failure: 'rejected', onlyInEvents: true, meaning: 'media-of-contact-not-fetched' },
  { code: 131053, failure: 'rejected', meaning: 'media-not-processed' },
  { code: 131055, failure: 'rejected', meaning: 'not-allowed-here' },
  { code: 131056, failure: 'rate-limited', meaning: 'pair-limit' },
  { code: 131057, failure: 'unavailable', meaning: 'number-in-maintenance' },
  { code: 131062, failure: 'rejected', meaning: 'user-id-not-supported' },
  { code: 131063, failure: 'rejected', meaning: 'marketing-switched-off' },
  { code: 131064, failure: 'rejected', meaning: 'template-classification' },
  { code: 131207, failure: 'rejected', meaning: 'group-suspended' },
  { code: 131208, failure: 'rate-limited', meaning: 'group-limit' },
  { code: 131215, failure: 'rejected', meaning: 'groups-not-available' },
  { code: 132000, failure: 'rejected', meaning: 'template-parameter-count' },
  { code: 132001, failure: 'rejected', meaning: 'template-not-found' },
  { code: 132005, failure: 'rejected', meaning: 'template-text-too-long' },
  { code: 132007, failure: 'rejected', meaning: 'template-policy' },
  { code: 132008, failure: 'rejected', meaning: 'template-rejected' },
  { code: 132012, failure: 'rejected', meaning: 'template-parameter-format' },
  { code: 132015, failure: 'rejected', meaning: 'template-paused' },
  { code: 132016, failure: 'rejected', meaning: 'template-disabled' },
  { code: 132018, failure: 'rejected', meaning: 'template-parameter-invalid' },
  { code: 132068, failure: 'rejected', meaning: 'flow-blocked' },
  { code: 132069, failure: 'rate-limited', meaning: 'flow-throttled', retryAfterSeconds },
  { code: 133010, failure: 'rejected', meaning: 'number-not-registered' },
  { code: 134011, failure: 'rejected', meaning: 'payment-terms' },
  { code: 134100, failure: 'rejected', meaning: 'marketing-only' },
  { code: 134101, failure: 'rate-limited', meaning: 'template-syncing', retryAfterSeconds: templateSyncSeconds },
  { code: 134102, failure: 'rejected', meaning: 'template-not-available' },
  { code: 135000, failure: 'rejected', meaning: 'invalid-request' },
  { code: 137000, failure: 'rejected', meaning: 'identity-changed' },
  { code: 138000, failure: 'rejected', meaning: 'calling-disabled' },
  { code: 138009, failure: 'rejected', meaning: 'permission-requests-used-up' },
  { code: 138017, failure: 'rejected', meaning: 'permission-is-permanent' },
  { code: 139000, failure: 'rejected', meaning: 'against-policies' },
  { code: 139200, failure: 'rejected', meaning: 'direct-send-blocked' },
] as const satisfies readonly KnownCode[];

/** The meanings of the codes; `shared/http/messages` has the texts. */
export type MessageErrorMeaning = (typeof messageErrorCodes)[number]['meaning'];

/** Looks up what an error of the upstream about a message means. */
export const knownMessageError = /* @__PURE__ */ knownErrors('message', messageErrorCodes);
