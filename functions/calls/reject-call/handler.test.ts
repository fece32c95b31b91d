import { describe } from 'vitest';
import { itEndsCalls } from '#support/ends-calls.ts';
import { contract } from './contract.ts';
import { makeHandler } from './handler.ts';

describe('reject-call', () => {
  itEndsCalls({ contract, makeHandler }, { verb: 'rejects', action: 'reject' });
});
