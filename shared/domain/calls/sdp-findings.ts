import { type MediaDescription, parse, type SessionDescription } from 'sdp-transform';

/** What can be wrong with an SDP. */
export type FindingName =
  | 'too-large'
  | 'escaped-line-breaks'
  | 'not-parseable'
  | 'bare-line-feeds'
  | 'no-audio'
  | 'audio-port-zero'
  | 'sends-no-audio'
  | 'no-opus'
  | 'no-rtcp-mux'
  | 'no-ice-credentials'
  | 'ice-lite'
  | 'no-fingerprint'
  | 'fingerprint-not-sha-256'
  | 'no-setup'
  | 'answer-instead-of-offer'
  | 'actpass-in-answer'
  | 'connection-sdp-differs';

/** What an SDP is sent as: the offer of who calls, or the answer of who accepts. */
export type SdpType = 'offer' | 'answer';

/** Characters; longer ones are no SDP of a voice call, and are left alone for the time that they would take. */
const longestSdp = 64 * 1024;

/**
 * What would keep a call with this SDP from being connected or heard, as far as one can tell from the SDP alone. By
 * what WebRTC demands (RFC 8829 §5, with RFC 8839 for ICE, RFC 8842 for DTLS and RFC 8866 for the syntax) and Meta's
 * Calling API besides: the platform is ICE-lite, fingerprints are sha-256, audio is Opus. An SDP needs no candidates:
 * the platform has public ones, and learns those of the other side from its connectivity checks. Takes any string.
 */
export function findings(sdp: string, expected: SdpType): FindingName[] {
  if (sdp.length > longestSdp) return ['too-large'];
  const lines = sdp.trimEnd().split(/\r?\n/);
  if (lines.length === 1 && /^v=0(\\r)?\\n/.test(sdp)) return ['escaped-line-breaks'];
  return [
    ...named({ 'bare-line-feeds': /(?<!\r)\n/.test(sdp) }),
    ...(isSessionDescription(lines) ? contentFindings(parse(sdp), lines, expected) : (['not-parseable'] as const)),
  ];
}

const isMedia = /^m=\S+ \d+(\/\d+)? \S+ \S/;
const isField = /^[a-z]=/;

/** sdp-transform skips every line that it does not understand, so the form is looked at here (RFC 8866 §9). */
function isSessionDescription(lines: readonly string[]): boolean {
  const firstMedia = lines.findIndex((line) => line.startsWith('m='));
  const sessionLines = firstMedia < 0 ? lines : lines.slice(0, firstMedia);
  return (
    lines[0] === 'v=0' &&
    ['o=', 's=', 't='].every((type) => sessionLines.some((line) => line.startsWith(type))) &&
    lines.every((line) => !line.includes('\r') && (line.startsWith('m=') ? isMedia : isField).test(line))
  );
}

function contentFindings(session: SessionDescription, lines: readonly string[], expected: SdpType): FindingName[] {
  const sections = session.media.filter(({ type }) => type === 'audio');
  const audio = sections.find(isOn) ?? sections[0];
  if (!audio) return ['no-audio'];
  const carriers = [audio, session, ...session.media];
  return [
    ...audioFindings(audio, session),
    ...connectionFindings(carriers),
    ...named({ 'ice-lite': lines.some((line) => /^a=ice-lite\s*$/.test(line)) }),
    ...fingerprintFindings(lines),
    ...setupFindings(carriers.find(({ setup }) => setup !== undefined)?.setup, expected),
  ];
}

/** A port of 0 turns a section off, but for one that goes through the connection of another (RFC 9143 §6). */
function isOn({ port, bundleOnly }: MediaDescription): boolean {
  return port !== 0 || bundleOnly !== undefined;
}

function audioFindings(audio: MediaDescription, session: SessionDescription): FindingName[] {
  const direction = audio.direction ?? session.direction;
  const payloads = String(audio.payloads).split(' ');
  const isOpus = ({ codec, payload }: MediaDescription['rtp'][number]) =>
    String(codec).toLowerCase() === 'opus' && payloads.includes(String(payload));
  return named({
    'audio-port-zero': !isOn(audio),
    'sends-no-audio': direction === 'recvonly' || direction === 'inactive',
    'no-opus': !audio.rtp.some(isOpus),
  });
}

/**
 * Sections that share a connection leave it to the first of them (RFC 9143 §7.1.3), so what any section says counts.
 */
function connectionFindings(carriers: readonly Partial<MediaDescription>[]): FindingName[] {
  return named({
    'no-rtcp-mux': !carriers.some(({ rtcpMux }) => rtcpMux !== undefined),
    'no-ice-credentials':
      !carriers.some(({ iceUfrag }) => isSet(iceUfrag)) || !carriers.some(({ icePwd }) => isSet(icePwd)),
  });
}

/** Read from the lines: of several fingerprints in a section, sdp-transform keeps only the last. */
function fingerprintFindings(lines: readonly string[]): FindingName[] {
  const algorithms = lines.flatMap((line) => /^a=fingerprint:(\S+) +\S/.exec(line)?.[1]?.toLowerCase() ?? []);
  return named({
    'no-fingerprint': algorithms.length === 0,
    'fingerprint-not-sha-256': algorithms.some((algorithm) => algorithm !== 'sha-256'),
  });
}

function setupFindings(setup: string | undefined, expected: SdpType): FindingName[] {
  return named({
    'no-setup': !isSet(setup),
    'answer-instead-of-offer': expected === 'offer' && (setup === 'active' || setup === 'passive'),
    'actpass-in-answer': expected === 'answer' && setup === 'actpass',
  });
}

/** sdp-transform makes numbers of what looks like one. */
const isSet = (value: string | number | undefined) => value !== undefined && value !== '';

function named(found: Partial<Record<FindingName, boolean>>): FindingName[] {
  return (Object.keys(found) as FindingName[]).filter((name) => found[name]);
}
