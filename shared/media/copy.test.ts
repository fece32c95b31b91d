import { expect, it } from 'vitest';
import { captureLog } from '#support/fakes/captured-log.ts';
import { type MediaContext, makeCopy } from './copy-media.ts';

const log = captureLog();

it('a copy that fails says why, also if that cannot be recorded', async () => {
  const lost = new Error('The connection broke');
  const context = {
    holder: 'me',
    deadline: 60_000,
    now: () => 0,
    copies: {
      claim: async () => true,
      storeOutcome: async () => {
        throw new Error('There is no table');
      },
    },
    download: async () => {
      throw lost;
    },
    bucket: {},
  } as unknown as MediaContext;
  const file = { url: 'https://example.com/', mimeType: 'image/png', size: 9, sha256: undefined } as never;
  await expect(makeCopy({ number: 'n', media: '1' } as never, file, context)).rejects.toBe(lost);
  expect(log).toContainEqual(
    expect.objectContaining({ event: 'media.copy-not-recorded', error_message: 'There is no table' }),
  );
});
