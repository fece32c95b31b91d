import { type FindingName, findings } from '#shared/domain/calls/sdp-findings.ts';

/** Returns the findings on a new call's two SDPs. The call uses the session's, so the other one should be the same. */
export function offerFindings(session: string, connection: string): FindingName[] {
  const found = findings(session, 'offer');
  return connection === session ? found : [...found, 'connection-sdp-differs'];
}

/** Lists the findings in a response header. */
export function reportFindings(found: readonly FindingName[], addHeader: (name: string, value: string) => void): void {
  if (found.length > 0) addHeader('x-sdp-findings', found.join(','));
}
