/** What phones name in requests of a Flow whose JSON names none. */
export const defaultDataApiVersion = '3.0';

/** The version in a request to the endpoint. */
export function requestVersion(dataApiVersion: string | undefined): string {
  return dataApiVersion ?? defaultDataApiVersion;
}
