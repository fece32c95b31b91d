import { type MediaDescription, parse, type SessionDescription } from 'sdp-transform';
import type { FindingName } from './sdp-finding-texts.ts';

/** What may harm a call, but need not: the SDP alone does not decide it. */
const hints: ReadonlySet<FindingName> = new Set<FindingName>([
  'several-audio-sections',
  'several-ssrcs',
  'opus-not-48000-2',
  'ptime-not-20',
  'dtmf-not-8000',
  'passive-answer',
  'receives-no-audio',
  'has-video',
  'only-private-candidates',
]);

export const isHint = (name: FindingName): boolean => hints.has(name);

/** The role of an SDP: the caller sends the offer, the person who accepts the call sends the answer. */
export type SdpType = 'offer' | 'answer';

/** Characters. A longer text is not the SDP of a voice call, and parsing it would take too long. */
const longestSdp = 64 * 1024;

/**
 * Finds what would keep a call with this SDP from being connected or heard, as far as the SDP alone shows. The checks
 * follow WebRTC (RFC 8829 §5, RFC 8839 for ICE, RFC 8842 for DTLS, RFC 8866 for the syntax) and Meta's Calling API: the
 * platform is ICE-lite, fingerprints are sha-256, audio is Opus. Hints follow its guidelines for the media path. An SDP
 * needs no candidates: the platform has public ones and learns the other side's from its connectivity checks. Accepts
 * any string.
 */
export function findings(sdp: string, expected: SdpType): FindingName[] {
  if (sdp.length > longestSdp) return ['too-large'];
  const lines = sdp.trimEnd().split(/\r?\n/);
  if (lines.length === 1 && /^v=0(\\r)?\\n/.test(sdp)) return ['escaped-line-breaks'];
  return [
    ...namesOf({ 'bare-line-feeds': /(?<!\r)\n/.test(sdp) }),
    ...(isSessionDescription(lines) ? contentFindings(parse(sdp), lines, expected) : (['not-parseable'] as const)),
  ];
}

const isMedia = /^m=\S+ \d+(\/\d+)? \S+ \S/;
const isField = /^[a-z]=/;

/** sdp-transform skips every line that it does not understand, so this function checks the syntax (RFC 8866 §9). */
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
  const direction = audio.direction ?? session.direction;
  // Sections that share a connection describe it only in the first of them (RFC 9143 §7.1.3), so attributes of any
  // section count.
  const carriers: readonly Partial<MediaDescription>[] = [audio, session, ...session.media];
  const setup = carriers.find(({ setup }) => setup !== undefined)?.setup;
  // The lines, because sdp-transform keeps only the last of several fingerprints in a section.
  const hashes = lines.flatMap((line) => /^a=fingerprint:(\S+) +\S/.exec(line)?.[1]?.toLowerCase() ?? []);
  return namesOf({
    'audio-port-zero': !isOn(audio),
    'sends-no-audio': direction === 'recvonly' || direction === 'inactive',
    'no-opus': formatsOf(audio, 'opus').length === 0,
    'no-rtcp-mux': !carriers.some(({ rtcpMux }) => rtcpMux !== undefined),
    'no-ice-credentials':
      !carriers.some(({ iceUfrag }) => isSet(iceUfrag)) || !carriers.some(({ icePwd }) => isSet(icePwd)),
    'ice-lite': lines.some((line) => /^a=ice-lite\s*$/.test(line)),
    'no-fingerprint': hashes.length === 0,
    'fingerprint-not-sha-256': hashes.some((hash) => hash !== 'sha-256'),
    'no-setup': !isSet(setup),
    'answer-instead-of-offer': expected === 'offer' && (setup === 'active' || setup === 'passive'),
    'actpass-in-answer': expected === 'answer' && setup === 'actpass',
    'several-audio-sections': sections.filter(isOn).length > 1,
    ...audioHints(audio),
    'passive-answer': expected === 'answer' && setup === 'passive',
    'receives-no-audio': direction === 'sendonly',
    'has-video': session.media.some((media) => media.type === 'video' && isOn(media)),
    'only-private-candidates': haveOnlyPrivate(session.media.flatMap(({ candidates = [] }) => candidates)),
  });
}

/** A port of 0 turns a section off, unless the section shares another one's connection (RFC 9143 §6). */
function isOn({ port, bundleOnly }: MediaDescription): boolean {
  return port !== 0 || bundleOnly !== undefined;
}

/** The formats of a codec that the section offers. */
function formatsOf({ rtp, payloads }: MediaDescription, name: string) {
  const offered = String(payloads).split(' ');
  return rtp.filter(({ codec, payload }) => String(codec).toLowerCase() === name && offered.includes(String(payload)));
}

/** Meta, "Guidelines for media path integration": one SSRC, Opus at 48 kHz in packets of 20 ms, DTMF at 8 kHz. */
function audioHints(audio: MediaDescription): Partial<Record<FindingName, boolean>> {
  const { ptime = 20, maxptime = 20, ssrcs = [] } = audio;
  const dtmf = formatsOf(audio, 'telephone-event');
  return {
    'several-ssrcs': new Set(ssrcs.map(({ id }) => String(id))).size > 1,
    'opus-not-48000-2': formatsOf(audio, 'opus').some(
      ({ rate, encoding }) => Number(rate) !== 48_000 || Number(encoding) !== 2,
    ),
    'ptime-not-20': Number(ptime) !== 20 || Number(maxptime) < 20,
    'dtmf-not-8000': dtmf.length > 0 && !dtmf.some(({ rate }) => Number(rate) === 8_000),
  };
}

/** Addresses that only a private network knows, this machine's own included, and the names that browsers hide them behind. */
const privateAddress =
  /^(::ffff:)?(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^(f[cd]..|fe[89ab].):|^::1?$|\.local$/i;

const haveOnlyPrivate = (candidates: NonNullable<MediaDescription['candidates']>) =>
  candidates.length > 0 && candidates.every(({ ip }) => privateAddress.test(String(ip)));

/** sdp-transform converts values that look like numbers. */
const isSet = (value: string | number | undefined) => value !== undefined && value !== '';

function namesOf(found: Partial<Record<FindingName, boolean>>): FindingName[] {
  return (Object.keys(found) as FindingName[]).filter((name) => found[name]);
}

/** Returns the findings on a new call's two SDPs. The call uses the session's, so the other one should be the same. */
export function offerFindings(session: string, connection: string): FindingName[] {
  const found = findings(session, 'offer');
  return connection === session ? found : [...found, 'connection-sdp-differs'];
}

/** Lists the findings in a response header. */
export function reportFindings(found: readonly FindingName[], addHeader: (name: string, value: string) => void): void {
  if (found.length > 0) addHeader('x-sdp-findings', found.join(','));
}
