import { callingErrors } from './calling-errors.ts';
import type { GraphErrorEntry } from './graph-error-entry.ts';
import { sendingErrors } from './sending-errors.ts';
import { setupErrors } from './setup-errors.ts';

const rejected = { status: 400, type: 'OAuthException' } as const;

/** Source: Meta's pages "Error codes" of the Graph API, the Cloud API and Flows. */
const graphErrors = {
  unknown_error: {
    status: 500,
    type: 'OAuthException',
    code: 1,
    explanation: 'An unknown error occurred',
    transient: true,
  },
  unknown_path: { ...rejected, code: 2500, explanation: 'Unknown path components' },
  invalid_parameter: { ...rejected, code: 100, explanation: 'Invalid parameter' },
  body_too_large: { ...rejected, status: 413, code: 100, explanation: 'The request is too large' },
  object_missing: {
    status: 400,
    type: 'GraphMethodException',
    code: 100,
    subcode: 33,
    explanation: 'Unsupported request: the object does not exist or is not accessible with this access token',
  },
  flow_name_not_unique: {
    ...rejected,
    code: 100,
    subcode: 4016019,
    title: 'Flow name is not unique',
    explanation: 'Another Flow of this WhatsApp Business Account has the same name.',
  },
  clone_source_missing: {
    ...rejected,
    code: 100,
    title: 'Flow with specified ID does not exist',
    explanation: 'The Flow to clone was not found in this WhatsApp Business Account.',
  },
  endpoint_uri_invalid: {
    ...rejected,
    code: 100,
    title: 'Invalid Endpoint URI',
    explanation: 'The endpoint URI has to be an https URL.',
  },
  flow_not_editable: {
    ...rejected,
    code: 139001,
    title: "Flow can't be updated",
    explanation: 'A Flow in this state cannot be changed.',
  },
  publish_in_invalid_state: {
    ...rejected,
    code: 139002,
    title: 'Publishing Flow in invalid state',
    explanation: 'Only a draft can be published.',
  },
  publish_with_validation_errors: {
    ...rejected,
    code: 139002,
    title: 'Publishing Flow with validation errors',
    explanation: 'Correct the errors of the Flow JSON, then publish.',
  },
  publish_version_not_available: {
    ...rejected,
    code: 139002,
    title: 'Versions in Flow JSON are not available for publishing',
    explanation: 'The version of the Flow JSON is frozen: move to a newer one.',
  },
  publish_without_endpoint_uri: {
    ...rejected,
    code: 139002,
    title: 'Publishing without specifying endpoint_uri is forbidden',
    explanation: 'A Flow with a data_api_version needs an endpoint_uri.',
  },
  publish_without_phone_number: {
    ...rejected,
    code: 139002,
    title: 'No Phone Number connected',
    explanation: 'The WhatsApp Business Account has no phone number.',
  },
  publish_without_public_key: {
    ...rejected,
    code: 139002,
    title: 'Missing Flows Signed Public Key',
    explanation: 'A Flow with an endpoint needs a public key at the phone number.',
  },
  publish_endpoint_unavailable: {
    ...rejected,
    code: 139002,
    title: 'Endpoint Not Available',
    explanation: 'The endpoint of the Flow did not pass the health check.',
  },
  deprecate_unpublished: {
    ...rejected,
    code: 139003,
    title: "Can't deprecate unpublished flow",
    explanation: 'A draft is deleted, not deprecated.',
  },
  already_deprecated: {
    ...rejected,
    code: 139003,
    title: 'Flow is already deprecated',
    explanation: 'Nothing is left to do.',
  },
  delete_published: {
    ...rejected,
    code: 139004,
    title: "Can't delete published Flow",
    explanation: 'A Flow that is not a draft is deprecated, not deleted.',
  },
  media_url_expired: { ...rejected, status: 404, code: 100, explanation: 'The URL of the media is not valid any more' },
  ...setupErrors,
  ...callingErrors,
  ...sendingErrors,
} as const satisfies Record<string, GraphErrorEntry>;

export type GraphErrorName = keyof typeof graphErrors;

export const graphErrorNames = Object.keys(graphErrors) as GraphErrorName[];

/** The `error` member of a Graph response. */
export interface GraphErrorBody {
  readonly message: string;
  readonly type: string;
  readonly code: number;
  readonly error_subcode?: number;
  readonly is_transient: boolean;
  readonly error_user_title?: string;
  readonly error_user_msg?: string;
  readonly error_data?: { readonly messaging_product: 'whatsapp'; readonly details: string };
}

/** An error response. `reason` names the entry in the table, `explanation` replaces its text. */
export class GraphError extends Error {
  readonly reason: GraphErrorName;
  readonly status: number;
  readonly body: GraphErrorBody;

  constructor(reason: GraphErrorName, explanation?: string) {
    const entry: GraphErrorEntry = graphErrors[reason];
    const text = explanation ?? entry.explanation;
    super(text);
    this.reason = reason;
    this.status = entry.status;
    this.body = {
      message: messageOf(entry, text),
      type: entry.type,
      code: entry.code,
      ...(entry.subcode !== undefined && { error_subcode: entry.subcode }),
      is_transient: entry.transient ?? false,
      ...explanationOf(entry, text),
    };
  }
}

function explanationOf({ title, explainedIn }: GraphErrorEntry, text: string): Partial<GraphErrorBody> {
  if (explainedIn === 'error_data') return { error_data: { messaging_product: 'whatsapp', details: text } };
  return title === undefined ? {} : { error_user_title: title, error_user_msg: text };
}

/** With code 100, Graph's `message` is only "Invalid parameter". The explanation is in `error_user_msg`. */
function messageOf({ code, title, explainedIn }: GraphErrorEntry, text: string): string {
  if (code === 100 && title !== undefined && explainedIn === undefined) return 'Invalid parameter';
  return `(#${code}) ${title ?? text}`;
}
