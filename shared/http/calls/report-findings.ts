import type { CallRequest } from '#shared/domain/calls/act.ts';
import { findings } from '#shared/domain/calls/sdp-findings.ts';
import { type FindingName, findingHint } from './sdp-finding-texts.ts';

/** Of the two SDPs with which a call is started, the session's is used. */
export function offerFindings(session: string, connection: string): FindingName[] {
  const found = findings(session, 'offer');
  return connection === session ? found : [...found, 'connection-sdp-differs'];
}

/** Names them in the answer's header, and gives what the log and a refusal tell of them. */
export function reportFindings(
  found: readonly FindingName[],
  addHeader: (name: string, value: string) => void,
): Pick<CallRequest, 'findings' | 'hints'> {
  if (found.length > 0) addHeader('x-sdp-findings', found.join(','));
  return { findings: found, hints: found.map(findingHint) };
}
