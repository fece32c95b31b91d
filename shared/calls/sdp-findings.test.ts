import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '#support/arbitraries.ts';
import { replaced, sdpOf, sdpText, without } from '#support/sdp.ts';
import type { FindingName } from './sdp-finding-texts.ts';
import { findingTexts } from './sdp-finding-texts.ts';
import { findings, isHint, offerFindings } from './sdp-findings.ts';

const offer = sdpOf('offer');
const answer = sdpOf('answer');
const candidate = (address: string) => `a=candidate:2 1 udp 1 ${address} 50000 typ host`;
/** Adds lines to the last section. */
const withLines = (sdp: string, ...lines: string[]) => sdp + sdpText(lines);
const session = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0'];

/** Moves the lines of the audio section up to the session, where they apply to every section. */
function withSessionLevel(sdp: string, ...starts: string[]): string {
  const lines = sdp.trimEnd().split('\r\n');
  const moved = lines.filter((line) => starts.some((start) => line.startsWith(start)));
  const rest = lines.filter((line) => !moved.includes(line));
  const media = rest.findIndex((line) => line.startsWith('m='));
  return sdpText([...rest.slice(0, media), ...moved, ...rest.slice(media)]);
}

const ofConnection = /^a=(ice-|candidate|fingerprint|setup|rtcp-mux)/;

/** Bundles the audio with a preceding data channel, which alone describes the connection (RFC 9143 §7.1.3). */
function sharingConnection(sdp: string): string {
  const lines = sdp.trimEnd().split('\r\n');
  const start = lines.findIndex((line) => line.startsWith('m='));
  return sdpText([
    ...lines.slice(0, start),
    'm=application 54321 UDP/DTLS/SCTP webrtc-datachannel',
    ...lines.filter((line) => ofConnection.test(line)),
    ...lines.slice(start).filter((line) => !ofConnection.test(line)),
  ]);
}

describe('no finding is reported', () => {
  it.each<[string, string, 'offer' | 'answer']>([
    ['an offer as a browser makes it', offer, 'offer'],
    ['an answer as a browser makes it', answer, 'answer'],
    ['no line break at the end', offer.trimEnd(), 'offer'],
    ['no candidates, for the platform learns them', without(offer, 'a=candidate'), 'offer'],
    ['the same in an answer', without(answer, 'a=candidate'), 'answer'],
    ['G.711 beside Opus', replaced(offer, 'm=audio', 'm=audio 9 UDP/TLS/RTP/SAVPF 0 8 111'), 'offer'],
    ['attributes that stand at the session', withSessionLevel(offer, 'a=ice-', 'a=fingerprint', 'a=setup'), 'offer'],
    ['a direction at the session', withSessionLevel(offer, 'a=sendrecv'), 'offer'],
    ['one payload type', replaced(offer, 'm=audio', 'm=audio 9 UDP/TLS/RTP/SAVPF 111'), 'offer'],
    ['Opus and SHA-256 in other letters', offer.replace('opus', 'OPUS').replace('sha-256', 'SHA-256'), 'offer'],
    ['a session name of nothing', replaced(offer, 's=', 's= '), 'offer'],
    ['DTMF at 8000 beside another rate', withLines(offer, 'a=rtpmap:110 telephone-event/48000'), 'offer'],
    ['packets of 20 ms', withLines(offer, 'a=ptime:20', 'a=maxptime:60'), 'offer'],
    ['two attributes of one SSRC', withLines(offer, 'a=ssrc:1 cname:a', 'a=ssrc:1 msid:b c'), 'offer'],
    ['a video section that is off', withLines(offer, 'm=video 0 UDP/TLS/RTP/SAVPF 96'), 'offer'],
    ['a public address beside a private one', withLines(offer, candidate('10.0.0.5')), 'offer'],
    [
      'a section before it that holds all there is to say of their connection',
      sharingConnection(replaced(offer, 'm=audio', 'm=audio 0 UDP/TLS/RTP/SAVPF 111\r\na=bundle-only')),
      'offer',
    ],
    ['the same in an answer', sharingConnection(answer), 'answer'],
    [
      'port 0 for audio through the connection of another section',
      `${replaced(offer, 'm=audio', 'm=audio 0 UDP/TLS/RTP/SAVPF 111')}a=bundle-only\r\n`,
      'offer',
    ],
    [
      'an audio section that is off before one that is on',
      offer.replace('m=audio', 'm=audio 0 RTP/AVP 0\r\nm=audio'),
      'offer',
    ],
  ])('no finding is reported for %s', (_, sdp, expected) => {
    expect(findings(sdp, expected)).toEqual([]);
  });
});

describe('a finding', () => {
  it.each<[FindingName, string]>([
    ['bare-line-feeds', offer.replaceAll('\r\n', '\n')],
    ['bare-line-feeds', offer.replace('\r\n', '\n')],
    ['no-audio', sdpText(session)],
    ['no-audio', offer.replace('m=audio', 'm=video')],
    ['audio-port-zero', replaced(offer, 'm=audio', 'm=audio 0 UDP/TLS/RTP/SAVPF 111')],
    ['sends-no-audio', replaced(offer, 'a=sendrecv', 'a=recvonly')],
    ['sends-no-audio', withSessionLevel(replaced(offer, 'a=sendrecv', 'a=inactive'), 'a=inactive')],
    ['no-opus', without(offer, 'a=rtpmap:111')],
    ['no-opus', replaced(offer, 'a=rtpmap:111', 'a=rtpmap:111 PCMU/8000')],
    ['no-opus', replaced(offer, 'm=audio', 'm=audio 9 UDP/TLS/RTP/SAVPF 126')],
    ['no-rtcp-mux', without(offer, 'a=rtcp-mux')],
    ['no-ice-credentials', without(offer, 'a=ice-pwd')],
    ['no-ice-credentials', replaced(offer, 'a=ice-ufrag', 'a=ice-ufrag:')],
    ['ice-lite', offer.replace('m=audio', 'a=ice-lite\r\nm=audio')],
    ['ice-lite', replaced(offer, 'a=ice-options', 'a=ice-lite')],
    ['no-fingerprint', without(offer, 'a=fingerprint')],
    ['no-fingerprint', replaced(offer, 'a=fingerprint', 'a=fingerprint:sha-256')],
    ['fingerprint-not-sha-256', replaced(offer, 'a=fingerprint', 'a=fingerprint:sha-1 AB:CD')],
    ['fingerprint-not-sha-256', offer.replace('a=fingerprint', 'a=fingerprint:sha-512 AB:CD\r\na=fingerprint')],
    ['no-setup', without(offer, 'a=setup')],
    ['answer-instead-of-offer', answer],
    ['answer-instead-of-offer', replaced(offer, 'a=setup', 'a=setup:passive')],
  ])('is reported as %s and nothing else (%#)', (name, sdp) => {
    expect(findings(sdp, 'offer')).toEqual([name]);
  });

  it('is reported for an offer in place of an answer', () => {
    expect(findings(offer, 'answer')).toEqual(['actpass-in-answer']);
    expect(findings(withSessionLevel(offer, 'a=setup'), 'answer')).toEqual(['actpass-in-answer']);
  });

  it('is reported for a fingerprint with another algorithm after a correct one, as aiortc sends', () => {
    const three = replaced(
      answer,
      'a=fingerprint',
      'a=fingerprint:sha-256 AB\r\na=fingerprint:sha-384 CD\r\na=fingerprint:sha-512 EF',
    );
    expect(findings(three, 'answer')).toEqual(['fingerprint-not-sha-256']);
  });

  it('is reported for each of many defects at once', () => {
    const poor = sdpText([...session, 'm=audio 4000 RTP/AVP 0', 'a=recvonly']).replaceAll('\r\n', '\n');
    expect(findings(poor, 'offer')).toEqual([
      'bare-line-feeds',
      'sends-no-audio',
      'no-opus',
      'no-rtcp-mux',
      'no-ice-credentials',
      'no-fingerprint',
      'no-setup',
    ]);
  });

  it('is reported for a second SDP that differs from the first', () => {
    expect(offerFindings(offer, offer)).toEqual([]);
    expect(offerFindings(offer, offer.trimEnd())).toEqual(['connection-sdp-differs']);
  });
});

describe('a hint', () => {
  it.each<[FindingName, string, 'offer' | 'answer']>([
    ['several-audio-sections', withLines(offer, 'm=audio 9 UDP/TLS/RTP/SAVPF 111'), 'offer'],
    ['several-ssrcs', withLines(offer, 'a=ssrc:1111 cname:a', 'a=ssrc:2222 cname:b'), 'offer'],
    ['opus-not-48000-2', replaced(offer, 'a=rtpmap:111', 'a=rtpmap:111 opus/16000/2'), 'offer'],
    ['opus-not-48000-2', replaced(offer, 'a=rtpmap:111', 'a=rtpmap:111 opus/48000'), 'offer'],
    ['ptime-not-20', withLines(offer, 'a=ptime:60'), 'offer'],
    ['ptime-not-20', withLines(answer, 'a=maxptime:10'), 'answer'],
    ['dtmf-not-8000', replaced(answer, 'a=rtpmap:126', 'a=rtpmap:126 telephone-event/48000'), 'answer'],
    ['passive-answer', replaced(answer, 'a=setup', 'a=setup:passive'), 'answer'],
    ['receives-no-audio', replaced(offer, 'a=sendrecv', 'a=sendonly'), 'offer'],
    ['receives-no-audio', withSessionLevel(replaced(answer, 'a=sendrecv', 'a=sendonly'), 'a=sendonly'), 'answer'],
    ['has-video', withLines(offer, 'm=video 9 UDP/TLS/RTP/SAVPF 96'), 'offer'],
    ...[
      '10.1.2.3',
      '172.31.0.1',
      '192.168.1.2',
      '169.254.1.1',
      '100.64.0.1',
      '0.0.0.0',
      '::ffff:10.0.0.1',
      'fd00::1',
      'fe80::1',
      '::',
      'a-b.local',
    ].map((address): [FindingName, string, 'offer'] => [
      'only-private-candidates',
      replaced(offer, 'a=candidate', candidate(address)),
      'offer',
    ]),
  ])('is reported as %s and nothing else (%#)', (name, sdp, expected) => {
    expect(findings(sdp, expected)).toEqual([name]);
    expect(isHint(name)).toBe(true);
  });
});

describe('a text that is not an SDP', () => {
  it.each([
    ['a word', 'hello'],
    ['white space', ' \r\n '],
    ['JSON around it', JSON.stringify({ type: 'offer', sdp: offer })],
    ['base64', Buffer.from(offer).toString('base64')],
    ['another version', replaced(offer, 'v=', 'v=1')],
    ['something before it', `sdp: ${offer}`],
    ['indented lines', offer.replaceAll('\r\n', '\r\n  ')],
    ['an empty line in the middle', offer.replace('a=mid', '\r\na=mid')],
    ['a line without =', offer.replace('a=mid', 'mid')],
    ['no origin', without(offer, 'o=')],
    ['no time', without(offer, 't=')],
    ['an origin after the media', `${without(offer, 'o=')}o=- 1 1 IN IP4 127.0.0.1\r\n`],
    ['a media line that is cut', replaced(offer, 'm=audio', 'm=audio 9')],
    ['carriage returns alone', offer.replaceAll('\r\n', '\r')],
    ['a carriage return within a line', offer.replace('a=mid:0', 'a=mid:0\ra=x')],
    ['line breaks that were doubled', offer.replaceAll('\r\n', '\r\r\n')],
  ])('is reported as not parseable: %s', (_, sdp) => {
    expect(findings(sdp, 'offer')).toEqual(['not-parseable']);
  });

  it('is reported as escaped twice', () => {
    expect(findings(JSON.stringify(offer).slice(1, -1), 'offer')).toEqual(['escaped-line-breaks']);
  });

  it('is not checked if it is too large', () => {
    expect(findings(offer + 'a=x\r\n'.repeat(200_000), 'offer')).toEqual(['too-large']);
  });
});

describe('hostile input', () => {
  const names = Object.keys(findingTexts);
  const line = fc.constantFrom(
    ...offer.split('\r\n'),
    ...[
      'm=audio',
      'm=',
      'a=',
      'a=setup:',
      'a=rtpmap:',
      'a=fingerprint:',
      'a=simulcast:',
      'a=__proto__:x',
      'a=constructor',
    ],
    ...[
      'a=candidate:1 1 udp',
      'a=fingerprint: ',
      'a=toString',
      'm=__proto__ 1 x 1',
      'a=mid:__proto__',
      'a=rtpmap:1 __proto__/x',
    ],
  );
  const mangled = fc
    .tuple(fc.array(fc.oneof(line, anyText)), fc.constantFrom('\r\n', '\n', '\r', ''))
    .map(([lines, end]) => [...session, ...lines].join(end));

  it('leads to names of findings and never to an exception', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, mangled), fc.constantFrom('offer', 'answer'), (sdp, expected) => {
        const found = findings(sdp, expected);
        expect(names).toEqual(expect.arrayContaining(found));
        expect(new Set(found).size).toBe(found.length);
      }),
    );
  });

  const room = 63 * 1024;
  const filled = (start: string, unit: string) => sdpText(session) + start + unit.repeat(room / unit.length - 1);
  it.each([
    ['', 'a=x\r\n'],
    ['', 'm=audio 9 X 1\r\n'],
    ['m=audio 9 X 1\r\n', 'a=candidate:1 1 udp 1 192.0.2.1 1 typ host\r\n'],
    ['m=audio 9 X 1\r\n', 'a=fingerprint:sha-1 A\r\n'],
    ['a=imageattr:* send ', '[x] '],
    ['a=imageattr:* send ', '[]'],
    ['a=simulcast: ', ' '],
    ['a=simulcast:send ', 'a'],
    ['a=framerate:', '1'],
    ['a=ptime:', '1.'],
    ['a=floorid:', ' '],
    ['a=fingerprint:sha-1', ' '],
    ['m=audio 1', ' '],
    ['', '\n'],
  ])('is checked quickly: %j and then %j repeated', (start, unit) => {
    // Linear work takes seconds at most; quadratic work would exceed the test's timeout.
    for (let time = 1; time <= 10; time++) findings(filled(start, unit), 'offer');
  });
});

describe('the texts of the findings', () => {
  it('have names that fit into a header, separated by commas', () => {
    expect(Object.keys(findingTexts).filter((name) => !/^[a-z0-9-]+$/.test(name))).toEqual([]);
  });
});

describe('docs/calling.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/calling.md'), 'utf8');

  it.each(Object.entries(findingTexts))('contains a row for the finding %s', (name, { en }) => {
    expect(page).toContain(`| \`${name}\` | ${en} |`);
  });
});
