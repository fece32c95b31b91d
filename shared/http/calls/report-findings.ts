import { type FindingName, findings } from '#shared/domain/calls/sdp-findings.ts';

/** What looks wrong with the two SDPs of a new call, which is made with the session's. */
export function offerFindings(session: string, connection: string): FindingName[] {
  const found = findings(session, 'offer');
  return connection === session ? found : [...found, 'connection-sdp-differs'];
}

/** Names the findings in a header of the response. */
export function reportFindings(found: readonly FindingName[], addHeader: (name: string, value: string) => void): void {
  if (found.length > 0) addHeader('x-sdp-findings', found.join(','));
}
