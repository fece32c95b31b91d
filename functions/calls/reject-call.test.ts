import { describe } from 'vitest';
import { itEndsCalls } from '#support/ends-calls.ts';
import { rejectCall as contract } from './contracts.ts';
import { makeHandler } from './reject-call.ts';

describe('reject-call', () => {
  itEndsCalls({ contract, makeHandler }, { verb: 'rejects', action: 'reject' });
});
