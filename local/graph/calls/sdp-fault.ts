export type SdpType = 'offer' | 'answer';

const neededLines: readonly (readonly [RegExp, string])[] = [
  [/^m=audio [1-9]/m, 'no audio section (m=audio)'],
  [/^a=ice-ufrag:./m, 'no ICE credentials (a=ice-ufrag)'],
  [/^a=ice-pwd:./m, 'no ICE credentials (a=ice-pwd)'],
  [/^a=fingerprint:sha-256 ./im, 'no fingerprint of sha-256 (a=fingerprint:sha-256)'],
];

/** A quick check of an SDP: what makes a call impossible, or undefined if nothing obvious does. */
export function sdpFault(sdp: string, type: SdpType): string | undefined {
  if (!/^v=0\r?\n/.test(sdp)) return 'it is not SDP (its first line is not v=0)';
  if (type === 'answer' && /^a=setup:actpass\s*$/m.test(sdp)) return 'it is an offer (a=setup:actpass)';
  return neededLines.find(([pattern]) => !pattern.test(sdp))?.[1];
}
