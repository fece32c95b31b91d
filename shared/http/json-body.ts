import { isContainer, maxJsonDepth, nestsDeeperThan } from '#shared/base/json/json-depth.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';

interface RawBody {
  contentType: string | undefined;
  body: string | undefined;
  isBase64Encoded: boolean;
}

/** The JSON object in a request's body; no body at all counts as an empty one, whose missing fields are then named. */
export function readJsonBody({ contentType, body, isBase64Encoded }: RawBody): object {
  if (body === undefined || body === '') return {};
  if (!isJson(contentType)) throw new ServiceError('body.not-json');
  const text = isBase64Encoded ? decodeUtf8(body) : body;
  const value = parse(text);
  if (nestsDeeperThan(maxJsonDepth, value)) {
    throw new ServiceError('body.too-deep', { values: { max: maxJsonDepth } });
  }
  if (!isContainer(value) || Array.isArray(value)) throw new ServiceError('body.not-an-object');
  return value;
}

function isJson(contentType: string | undefined): boolean {
  const [mediaType = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return mediaType === 'application/json' && (charset === undefined || /^"?utf-8"?$/.test(charset));
}

function decodeUtf8(base64: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    throw new ServiceError('body.not-utf-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // V8's reason quotes the text around the fault; only the place is passed on.
    const place = /position \d+( \(line \d+ column \d+\))?|Unexpected end/.exec(
      error instanceof Error ? error.message : '',
    );
    const reason = place ? `at ${place[0]}`.replace('at Unexpected end', 'unexpected end') : 'unexpected token';
    throw new ServiceError('body.malformed', { values: { reason } });
  }
}
