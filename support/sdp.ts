import { sdpOf as shortSdpOf } from '#functions/api/documentation/requests.ts';

/** A correct SDP for a voice call: that of the API's examples with what a browser adds. */
export const sdpOf = (type: 'offer' | 'answer') =>
  shortSdpOf(type) +
  sdpText([
    'a=candidate:1162875081 1 udp 2113937151 192.0.2.10 54321 typ host generation 0',
    'a=ice-options:trickle',
    'a=fmtp:111 minptime=10;useinbandfec=1',
  ]);

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
