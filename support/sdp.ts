/** A correct SDP as a browser creates it for a voice call. */
export function sdpOf(type: 'offer' | 'answer'): string {
  return sdpText([
    'v=0',
    'o=- 7602563789789945080 2 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'a=msid-semantic: WMS stream',
    'm=audio 54321 UDP/TLS/RTP/SAVPF 111 126',
    'c=IN IP4 192.0.2.10',
    'a=candidate:1162875081 1 udp 2113937151 192.0.2.10 54321 typ host generation 0',
    'a=ice-ufrag:F7gI',
    'a=ice-pwd:x9cmlYzichV2XlhiMu8gaBcD',
    'a=ice-options:trickle',
    `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`,
    `a=setup:${type === 'offer' ? 'actpass' : 'active'}`,
    'a=mid:0',
    'a=sendrecv',
    'a=rtcp-mux',
    'a=rtpmap:111 opus/48000/2',
    'a=fmtp:111 minptime=10;useinbandfec=1',
    'a=rtpmap:126 telephone-event/8000',
  ]);
}

/** Joins the lines with the line ends of the RFC. */
export const sdpText = (lines: readonly string[]) => lines.map((line) => `${line}\r\n`).join('');

/** The SDP with each line mapped; `undefined` removes the line. */
export function mapLines(sdp: string, map: (line: string) => string | undefined): string {
  return sdpText(
    sdp
      .trimEnd()
      .split('\r\n')
      .flatMap((line) => map(line) ?? []),
  );
}

/** The SDP without the lines that begin with this text. */
export const without = (sdp: string, start: string) =>
  mapLines(sdp, (line) => (line.startsWith(start) ? undefined : line));

/** The SDP with another line in place of those that begin with this text. */
export const replaced = (sdp: string, start: string, line: string) =>
  mapLines(sdp, (each) => (each.startsWith(start) ? line : each));
