import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Credentials } from '#local/aws/base/signatures/signature-v4.ts';
import { testCredentials } from '../aws/aws-credentials.ts';

export interface RequestToSign {
  /** The service for which the request is signed: `dynamodb`. */
  service: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  credentials?: Credentials;
  region?: string;
  /** Defaults to now. */
  at?: Date;
}

/**
 * Signs a request with the SDK's signer, for a test that sends the request itself. Returns its headers, without the
 * host.
 */
export async function signedHeaders(url: string, request: RequestToSign): Promise<Record<string, string>> {
  const { service, method = 'POST', headers = {}, body = '', credentials = testCredentials } = request;
  const { region = 'us-east-1', at = new Date() } = request;
  const { host, hostname, pathname: path, searchParams } = new URL(url);
  const signer = new SignatureV4({ credentials, region, service, sha256: Sha256, uriEscapePath: service !== 's3' });
  const signed = await signer.sign(
    {
      ...{ protocol: 'http:', hostname, method, path, body },
      query: Object.fromEntries(searchParams),
      headers: { host, ...headers },
    },
    { signingDate: at },
  );
  const { host: _, ...others } = signed.headers;
  return others;
}
