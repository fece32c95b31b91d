import { expect, it } from 'vitest';
import { removeAll } from './removal.ts';

it('tries to remove everything, and names each thing that it could not remove', async () => {
  const removed: string[] = [];
  const fail = async () => {
    throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:8000'), { code: 'ECONNREFUSED' });
  };
  const failures = await removeAll([
    { what: 'the preview', remove: fail },
    { what: 'the workspace', remove: async () => removed.push('the workspace') },
    { what: 'the user', remove: fail },
  ]);
  expect(removed).toEqual(['the workspace']);
  expect(failures).toEqual([
    expect.stringMatching(/^Not removed: the preview\. The connection was refused.*ECONNREFUSED 127/),
    expect.stringMatching(/^Not removed: the user\. /),
  ]);
});
