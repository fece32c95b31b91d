import { isObject } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { seededCredentials } from './seed.ts';

/**
 * The content of the platform's secret when the world starts: what is stored, so that what an operator has set survives
 * a restart, or the seeded credentials. An access token of the start itself wins, and the next start without one
 * forgets it, because the simulated platform takes only the seeded one.
 */
export function credentialsAtStart(stored: string | undefined, accessToken: string | undefined): string {
  const content = parseJson(stored ?? '');
  const { token_of_start, ...kept } = { ...seededCredentials, ...(isObject(content) ? content : {}) } as Credentials;
  const own = kept.access_token === token_of_start ? seededCredentials.access_token : kept.access_token;
  return JSON.stringify({
    ...kept,
    access_token: accessToken ?? own,
    ...(accessToken !== undefined && { token_of_start: accessToken }),
  });
}

type Credentials = Record<string, unknown>;
