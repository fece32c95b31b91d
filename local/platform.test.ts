import { expect, it } from 'vitest';
import { credentialsAtStart } from './platform.ts';
import { seededCredentials } from './seed.ts';

const start = (stored?: object, accessToken?: string) =>
  JSON.parse(credentialsAtStart(stored && JSON.stringify(stored), accessToken));

it('a new world begins with the seeded credentials', () => {
  expect(start()).toEqual(seededCredentials);
  expect(JSON.parse(credentialsAtStart('broken', undefined))).toEqual(seededCredentials);
});

it('what an operator has set survives a restart', () => {
  const set = { ...seededCredentials, access_token: 'EAAset', app_secret: ['new', 'former'] };
  expect(start(set)).toEqual(set);
});

it('the access token of a start wins, and is forgotten by the next start without one', () => {
  const set = { ...seededCredentials, app_secret: 'set' };
  const started = start(set, 'EAAstart');
  expect(started).toMatchObject({ access_token: 'EAAstart', app_secret: 'set' });
  expect(start(started)).toEqual(set);
  expect(start(started, 'EAAother')).toMatchObject({ access_token: 'EAAother' });
  expect(start({ ...started, access_token: 'EAAset' })).toMatchObject({ access_token: 'EAAset' });
});
