import { describe } from 'vitest';
import { itEndsCalls } from '#support/ends-calls.ts';
import { contract } from './contract.ts';
import { makeHandler } from './handler.ts';

describe('hang-up-call', () => {
  itEndsCalls({ contract, makeHandler }, { verb: 'ends', action: 'terminate' });
});
