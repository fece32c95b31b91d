import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { Credentials } from './connection.ts';

export interface SignerSettings {
  /** The endpoint. */
  url: URL;
  /** The name of the service in signatures. */
  service: string;
  region: string;
  contentType: string;
}

/** Signs POSTs; returns their headers, names and values in turn. `target` is the value of `X-Amz-Target`. */
export type Sign = (credentials: Credentials, target: string, body: string, time: Date) => string[];

const algorithm = 'AWS4-HMAC-SHA256';
const tokenHeader = 'x-amz-security-token';

/**
 * Creates a signer for requests to one service (AWS Signature Version 4, with the signature in a header). A day's key
 * is derived once.
 */
export function requestSigner({ url, service, region, contentType }: SignerSettings): Sign {
  let known: { secret: string; date: string; key: KeyObject } | undefined;

  function keyOf(secret: string, date: string): KeyObject {
    if (known?.secret !== secret || known.date !== date) {
      const derived = [date, region, service, 'aws4_request'].reduce(
        (key, part) => hmac(key, part).digest(),
        Buffer.from(`AWS4${secret}`),
      );
      known = { secret, date, key: createSecretKey(derived) };
    }
    return known.key;
  }

  // The signed headers come alphabetically, as the signature wants them.
  const { host, pathname } = url;
  const begin = `POST\n${pathname}\n\ncontent-type:${contentType}\nhost:${host}\nx-amz-date:`;

  return ({ accessKeyId, secretAccessKey, sessionToken }, target, body, time) => {
    const timestamp = time.toISOString().replace(/[-:]|\.\d+/g, '');
    const date = timestamp.slice(0, 8);
    const [tokenName, tokenLine] =
      sessionToken === undefined ? ['', ''] : [`${tokenHeader};`, `${tokenHeader}:${sessionToken}\n`];
    const names = `content-type;host;x-amz-date;${tokenName}x-amz-target`;
    const end = `${tokenLine}x-amz-target:${target}\n\n${names}\n${hash('sha256', body)}`;
    const canonicalRequest = `${begin}${timestamp}\n${end}`;
    const scope = `${date}/${region}/${service}/aws4_request`;
    const stringToSign = `${algorithm}\n${timestamp}\n${scope}\n${hash('sha256', canonicalRequest)}`;
    const signature = hmac(keyOf(secretAccessKey, date), stringToSign).digest('hex');
    const authorization = `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
    const headers = ['content-type', contentType, 'host', host, 'x-amz-date', timestamp, 'x-amz-target', target];
    if (sessionToken !== undefined) headers.push(tokenHeader, sessionToken);
    return [...headers, 'authorization', authorization];
  };
}

const hmac = (key: Buffer | KeyObject, text: string) => createHmac('sha256', key).update(text);
