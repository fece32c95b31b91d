import { shorten } from './text.ts';

/** Values to insert into the text of an error. */
export type ErrorValues = Readonly<Record<string, string | number>>;

/** What can be wrong with a field; `http/validation-texts.ts` has a text for each rule. */
export const fieldRules = [
  'required',
  'required_with',
  'required_without',
  'not_with',
  'only_one',
  'string',
  'well_formed',
  'array',
  'object',
  'boolean',
  'integer',
  'number',
  'min_string',
  'max_string',
  'min_array',
  'max_array',
  'min_number',
  'max_number',
  'between',
  'distinct',
  'selected',
  'date_time',
  'days_ago',
  'url_malformed',
  'url_scheme',
  'url_credentials',
  'url_host',
  'url_port',
  'url_forbidden-address',
  'url_own-address',
  'url_ipv6',
  'url_not_set',
  'digits',
  'phone_number',
  'phone_number_character',
  'phone_number_plus',
  'phone_number_parentheses',
  'phone_number_zero',
  'group_id',
  'header_name',
  'header_reserved',
  'header_value',
  'user_id',
  'user_id_in_other',
  'uuid',
  'active_number',
  'flow_of_workspace',
  'undeclared_data',
  'no_emoji',
  'unknown_member',
  'unknown_member_among',
  'unknown_parameter',
  'unknown_parameter_among',
  'other_flow_json',
  'event_name',
  'event_without_form',
  'webhook_length',
  'headers_by_name',
  'handshake_status',
  'handshake_challenge',
  'handshake_failed',
  'meta_format',
  'cursor',
  'idempotency_key',
  'key_of_other_body',
  'one_file',
  'file_type',
  'file_type_name',
  'file_type_missing',
  'file_size',
  'still_sticker_size',
  'format',
] as const;

export type FieldRule = (typeof fieldRules)[number];

const maxNameCharacters = 64;

/** A name that the client wrote, as an error repeats it: not at any length, and without what may be a token. */
export const repeatedName = (name: string): string => shorten(name, maxNameCharacters).replace(/[a-z0-9]{24,}/gi, '…');

export interface FieldError {
  /** The field's name as the client wrote it, with dots for nested fields: `categories.1`, `connection.webrtc.sdp`. */
  field: string;
  rule: FieldRule;
  values: ErrorValues;
}
