import { describe, expect, it } from 'vitest';
import { liveFolder } from './world-folder.ts';

describe('the folder of the live world', () => {
  it.each([
    ['linux', {}, '/home/ana/.local/share/messaging-service/live'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/messaging-service/live'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ana/.local/share/messaging-service/live'],
    ['darwin', { XDG_DATA_HOME: '/data' }, '/home/ana/Library/Application Support/messaging-service/live'],
  ])('is outside the repository on %s with %j', (platform, environment, folder) => {
    expect(liveFolder(environment, platform, '/home/ana')).toBe(folder);
  });
});
