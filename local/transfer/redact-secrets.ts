import { isObject } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { hashToken } from '#shared/base/token-format.ts';
import { createFlowToken } from '#shared/domain/sent-flows/flow-token.ts';

const removed = 'removed';

/** Shorter values occur by chance. */
const minSecretLength = 6;

/** Secrets that are known by their form: access tokens, signing secrets, private keys, tokens of the platform. */
const forms = [
  /msgs_[\dA-Za-z]{38}/g,
  /whsec_[\dA-Za-z+/]{16,}={0,2}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----/gs,
  /\bEAA[\dA-Za-z]{20,}/g,
  /(?<=\bBearer )[\w.~+/-]{6,}=*/g,
];

const address = /https?:\/\/[^\s"'<>\\]+/g;
/** Flow tokens of the service in a text. */
export const flowToken = /msgf_[\dA-Za-z]{38}/g;
const flowTokenOrHash = new RegExp(`${flowToken.source}|\\b[\\da-f]{64}\\b`, 'g');

/** All texts in a value, also in JSON within texts. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    const nested = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
    return nested === undefined ? [value] : textsIn(nested);
  }
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * Takes the secrets out of everything that is passed to the same function: those in `secrets`, as they are and as JSON
 * writes them, and those that are known by their form. A flow token becomes another one, and its hash that of the other.
 */
export function redaction(secrets: Iterable<string>, flowTokens: Iterable<string>): <T>(value: T) => T {
  const spellings = [...new Set(secrets)]
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap((secret) => [secret, escaped(secret), escaped(escaped(secret)), encodeURIComponent(secret)]);
  // The longest first: one may be a part of another.
  const knownSpellings = [...new Set(spellings)].toSorted((one, other) => other.length - one.length);
  const replacements = new Map(
    [...new Set(flowTokens)].flatMap((token) => {
      const other = createFlowToken();
      return [
        [token, other],
        [hashToken(token), hashToken(other)],
      ];
    }),
  );

  function redactText(text: string): string {
    let redacted = text.replaceAll(flowTokenOrHash, (found) => replacements.get(found) ?? found);
    for (const secret of knownSpellings) redacted = redacted.replaceAll(secret, removed);
    for (const form of forms) redacted = redacted.replaceAll(form, removed);
    return redacted.replaceAll(address, redactAddress);
  }

  return function redact<T>(value: T): T {
    if (typeof value === 'string') return redactText(value) as T;
    if (Array.isArray(value)) return value.map(redact) as T;
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [redactText(name), redact(member)])) as T;
  };
}

export const flowTokensIn = (text: string): string[] => text.match(flowToken) ?? [];

const escaped = (text: string) => JSON.stringify(text).slice(1, -1);

/** The address without its user, and with the names only of its query. */
function redactAddress(text: string): string {
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^(https?:\/\/)([^/?#]*)([^?#]*)(.*)$/s.exec(text) ?? [];
  return scheme + authority.slice(authority.lastIndexOf('@') + 1) + path + query.replaceAll(/=[^&#]+/g, `=${removed}`);
}
