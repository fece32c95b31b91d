import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

const webhooks = ['webhook', 'secondary_webhook', 'calls_webhook'];
const page = ['status', 'limit', 'cursor', 'json'];

describe('the nearest name', () => {
  it.each([
    ['a missing letter', 'limt', page, 'limit'],
    ['an extra letter', 'statuss', page, 'status'],
    ['a wrong letter', 'curser', page, 'cursor'],
    ['two letters in the wrong order', 'lmiit', page, 'limit'],
    ['two letters of a short word in the wrong order', 'jsno', page, 'json'],
    ['another case', 'LIMIT', page, 'limit'],
    ['camel case', 'secondaryWebhook', webhooks, 'secondary_webhook'],
    ['hyphens', 'calls-webhook', webhooks, 'calls_webhook'],
    ['full-width letters', 'ｌｉｍｉｔ', page, 'limit'],
    ['a Cyrillic letter', 'сursor', page, 'cursor'],
    ['an addition', 'webhook_url', webhooks, 'webhook'],
  ])('is found in spite of %s', (_, name, names, expected) => {
    expect(nearestName(name, names)).toBe(expected);
  });

  it('is the one with the fewest differences', () => {
    expect(nearestName('staus', ['state', 'status'])).toBe('status');
  });

  it.each([
    ['another word', 'url', webhooks],
    ['what proxies add', 'utm_source', page],
    ['what proxies add', '_', page],
    ['what proxies add', 'v', page],
    ['the name of another paging style', 'page', page],
    ['the name of another paging style', 'size', ['since', 'until']],
    ['an empty name', '', page],
    ['a name that only separates', '__', page],
    ['a name of the language', '__proto__', page],
    ['an emoji', '🙂', page],
  ])('does not exist for %s: %s', (_, name, names) => {
    expect(nearestName(name, names)).toBeUndefined();
  });

  it('is not sought for a name of a million characters', () => {
    expect(nearestName('limit'.repeat(200_000), page)).toBeUndefined();
  });
});
