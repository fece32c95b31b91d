import { own } from '#shared/base/json/json-object.ts';

/** What phones name in requests of a Flow whose JSON names none. */
const defaultVersion = '3.0';

/**
 * @param json what `JSON.parse` made of a Flow JSON, which may be an invalid draft
 * @returns undefined for a Flow without an endpoint
 */
export function readDataApiVersion(json: unknown): string | undefined {
  const version = own(json, 'data_api_version');
  if (version === undefined) return undefined;
  return typeof version === 'string' ? version : defaultVersion;
}

/** The version in a request to the endpoint. */
export function requestVersion(dataApiVersion: string | undefined): string {
  return dataApiVersion ?? defaultVersion;
}
