import { describe } from 'vitest';
import { itEndsCalls } from '#support/ends-calls.ts';
import { hangUpCall as contract } from './contracts.ts';
import { makeHandler } from './hang-up-call.ts';

describe('hang-up-call', () => {
  itEndsCalls({ contract, makeHandler }, { verb: 'ends', action: 'terminate' });
});
