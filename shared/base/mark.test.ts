import { describe, expect, it } from 'vitest';
import { addMark, hasMark, markOf } from './mark.ts';

const ours = 'messaging-service-6e1f';
const theirs = 'messaging-service-77aa';

const reader = (headers: Record<string, string>) => (name: string) => headers[name];

describe('addMark', () => {
  it('names the deployment in Via and in a header of our own', () => {
    expect(addMark({ accept: 'a/b' }, ours)).toEqual({
      accept: 'a/b',
      via: `1.1 ${ours}`,
      'messaging-service-via': `1.1 ${ours}`,
    });
  });

  it('keeps the marks of other deployments', () => {
    expect(addMark(addMark({}, theirs), ours)).toEqual({
      via: `1.1 ${theirs}, 1.1 ${ours}`,
      'messaging-service-via': `1.1 ${theirs}, 1.1 ${ours}`,
    });
  });
});

describe('hasMark', () => {
  it.each([
    ['as it was sent', addMark({}, ours)],
    ['among others', addMark(addMark({ via: '1.0 fred' }, ours), theirs)],
    ['where a proxy removed Via', { 'messaging-service-via': `1.1 ${ours}` }],
    ['where a proxy removed what it does not know', { via: `1.1 ${ours},1.1 proxy.example.com (squid/6.1)` }],
    ['in capital letters', { via: `HTTP/1.1 ${ours.toUpperCase()}` }],
  ])('hasMark finds the mark %s', (_, headers) => {
    expect(hasMark(reader(headers), ours)).toBe(true);
  });

  it.each([
    ['nothing', {}],
    ["another deployment's mark", addMark({}, theirs)],
    ['a proxy', { via: '1.1 proxy.example.com' }],
  ])('does not find the mark in %s', (_, headers) => {
    expect(hasMark(reader(headers), ours)).toBe(false);
  });
});

it('the mark is made of the id of the deployment', () => {
  expect(markOf('d0d0')).toBe('messaging-service-d0d0');
});
