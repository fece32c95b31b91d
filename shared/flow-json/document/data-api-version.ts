/** The version that phones send for a Flow whose JSON specifies none. */
export const defaultDataApiVersion = '3.0';

/** The version that a request to the endpoint carries. */
export function requestVersion(dataApiVersion: string | undefined): string {
  return dataApiVersion ?? defaultDataApiVersion;
}
