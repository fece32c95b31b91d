import type { FindingName } from './sdp-finding-texts.ts';
import { findings } from './sdp-findings.ts';

/** Of the two SDPs with which a call is started, the session's is used. */
export function offerFindings(session: string, connection: string): FindingName[] {
  const found = findings(session, 'offer');
  return connection === session ? found : [...found, 'connection-sdp-differs'];
}

/** Names them in the answer's header. */
export function tellFindings(found: readonly FindingName[], addHeader: (name: string, value: string) => void): void {
  if (found.length > 0) addHeader('x-sdp-findings', found.join(','));
}
