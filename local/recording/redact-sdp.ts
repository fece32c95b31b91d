import { sdpAttributes } from './rules.ts';

const address = '192.0.2.1';
const replacements: Readonly<Record<string, string>> = {
  fingerprint: `sha-256 ${Array(32).fill('00').join(':')}`,
  'ice-ufrag': 'ufrag',
  'ice-pwd': 'passwordpasswordpassword',
  candidate: `1 1 udp 2113937151 ${address} 3480 typ host`,
  rtcp: `9 IN IP4 ${address}`,
  ssrc: '1 cname:name',
  msid: 'stream track',
};

/** An SDP without addresses, keys, names and ids. Its line ends stay, because the platform is strict about them. */
export function redactSdp(sdp: string): string {
  return sdp.replaceAll(/[^\r\n]+/g, (line) => {
    const [, type = '', value = ''] = /^([a-z])=(.*)$/.exec(line) ?? [];
    switch (type) {
      case 'v':
      case 't':
        return /^[\d ]+$/.test(value) ? line : `${type}=0 0`;
      case 'm':
        return /^(audio|video) \d{1,5} [A-Z/]{1,30}(?: \d{1,3})*$/.test(value)
          ? line
          : 'm=audio 9 UDP/TLS/RTP/SAVPF 111';
      case 'o':
        return `o=- 1 1 IN IP4 ${address}`;
      case 'c':
        return `c=IN IP4 ${address}`;
      case 's':
        return 's=-';
      case 'a':
        return `a=${attribute(value)}`;
      default:
        return `${/^[a-z]$/.test(type) ? type : 'i'}=-`;
    }
  });
}

function attribute(text: string): string {
  const [, name = '', value = ''] = /^([\w-]+)(?::(.*))?$/.exec(text) ?? [];
  const replacement = Object.hasOwn(replacements, name) ? replacements[name] : undefined;
  if (replacement !== undefined) return `${name}:${replacement}`;
  const form = Object.hasOwn(sdpAttributes, name) ? sdpAttributes[name] : undefined;
  if (form === undefined) return 'x-unknown';
  return form.test(value) ? text : name;
}
