/** The shortest SDP with which a voice call connects. */
export const sdpOf = (type: 'offer' | 'answer') =>
  [
    'v=0',
    'o=- 7669997803033704573 2 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'm=audio 9 UDP/TLS/RTP/SAVPF 111 126',
    'c=IN IP4 0.0.0.0',
    'a=ice-ufrag:F7gI',
    'a=ice-pwd:x9cmlYzichV2XlhiMu8gaBcD',
    `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`,
    `a=setup:${type === 'offer' ? 'actpass' : 'active'}`,
    'a=mid:0',
    'a=sendrecv',
    'a=rtcp-mux',
    'a=rtpmap:111 opus/48000/2',
    'a=rtpmap:126 telephone-event/8000',
    '',
  ].join('\r\n');
