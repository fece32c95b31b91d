import { describe, expect, it } from 'vitest';
import { hashToken } from '#shared/base/token-format.ts';
import { createFlowToken } from '#shared/domain/sent-flows/flow-token.ts';
import { redaction, textsIn } from './redact-secrets.ts';

const redact = (value: unknown, secrets: string[] = [], tokens: string[] = []) => redaction(secrets, tokens)(value);

describe('the redaction of an exported world', () => {
  it.each([
    ['as it is', 'it is hunter2"quoted', 'it is removed'],
    ['in JSON', JSON.stringify({ a: 'hunter2"quoted' }), '{"a":"removed"}'],
    ['in JSON within JSON', JSON.stringify({ a: JSON.stringify('hunter2"quoted') }), '{"a":"\\"removed\\""}'],
    ['in a path', 'https://a.example/hunter2%22quoted', 'https://a.example/removed'],
  ])('removes a known secret %s', (_, text, expected) => {
    expect(redact({ deep: [text] }, ['hunter2"quoted', 'short'])).toEqual({ deep: [expected] });
  });

  it.each([
    ['https://user:pass@a.example/hook?key=1&b=2#c=3', 'https://a.example/hook?key=removed&b=removed#c=removed'],
    ['{"url":"https://a.example/hook?key=1"}', '{"url":"https://a.example/hook?key=removed"}'],
    ['https://a.example/hook', 'https://a.example/hook'],
  ])('takes users and the values of queries out of addresses: %s', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it('removes what has the form of a secret', () => {
    const texts = [
      `msgs_${'a'.repeat(38)}`,
      `whsec_${'b'.repeat(43)}=`,
      'EAAabcdefghijklmnopqrstuv',
      '-----BEGIN PRIVATE KEY-----\\nabc\\n-----END PRIVATE KEY-----',
      'Bearer abcdef',
    ];
    expect(redact(texts)).toEqual(['removed', 'removed', 'removed', 'removed', 'Bearer removed']);
  });

  it('gives a flow token another one everywhere, and its hash that of the other', () => {
    const token = createFlowToken();
    const { message, pk } = redact(
      { message: `{"flow_token":"${token}"}`, pk: `SENT_FLOW#${hashToken(token)}` },
      [],
      [token],
    ) as { message: string; pk: string };
    const [other = ''] = /msgf_\w+/.exec(message) ?? [];
    expect(other).not.toBe(token);
    expect(pk).toBe(`SENT_FLOW#${hashToken(other)}`);
  });

  it('finds texts within values and within JSON', () => {
    expect(textsIn({ a: ['one', { b: '{"c":"two"}' }], d: 3 })).toEqual(['one', 'two']);
  });
});
