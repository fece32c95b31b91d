import type { IncomingMessage } from 'node:http';
import { AwsError } from '../aws-error.ts';
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
  { method = '', url = '/', headers: sent }: IncomingMessage,
  body: Buffer,
  scope: SigningScope,
  signers: Signers,
  status: number,
): Promise<string> {
  const [path = '', query] = url.split('?', 2);
  const headers = headersOf(Object.entries(sent).map(([name, value]) => [name, String(value)]));
  const request = { method, path, query: new URLSearchParams(query), headers, payloadHash: sha256Hex(body) };
  try {
    return await verifySignature(request, scope, signers);
  } catch (error) {
    if (error instanceof SignatureError) throw new AwsError(codes[error.fault], error.message, status);
    throw error;
  }
}
