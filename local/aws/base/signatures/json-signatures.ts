import { AwsError } from '../aws-error.ts';
import type { RawMessage } from '../http/message-splitter.ts';
import {
  headersOf,
  SignatureError,
  type SignatureFault,
  type Signers,
  type SigningScope,
  sha256Hex,
  verifySignature,
} from './signature-v4.ts';

const invalidSignature = 'InvalidSignatureException';

/** How the services of AWS's JSON protocols call what is wrong with a signature. */
const codes: Record<SignatureFault, string> = {
  missing: 'MissingAuthenticationTokenException',
  malformed: 'IncompleteSignatureException',
  'unknown key': 'UnrecognizedClientException',
  'wrong scope': invalidSignature,
  expired: invalidSignature,
  'not yet current': invalidSignature,
  'unsigned header': invalidSignature,
  different: invalidSignature,
};

/**
 * Verifies the signature of a request to a service that speaks AWS JSON. Returns the access key id.
 *
 * @param status what the service responds with otherwise
 * @throws AwsError
 */
export async function verifyJsonRequest(
  { head, body }: RawMessage,
  scope: SigningScope,
  signers: Signers,
  status = 400,
): Promise<string> {
  const [requestLine = '', ...lines] = head.split('\r\n');
  const [method = '', target = ''] = requestLine.split(' ');
  const [path = '', query] = target.split('?', 2);
  const headers = headersOf(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
  const request = { method, path, query: new URLSearchParams(query), headers, payloadHash: sha256Hex(body) };
  try {
    return await verifySignature(request, scope, signers);
  } catch (error) {
    if (error instanceof SignatureError) throw new AwsError(codes[error.fault], error.message, status);
    throw error;
  }
}
