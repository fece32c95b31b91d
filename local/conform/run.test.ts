import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it.each([
  ['no recording', [], 'Give one recording: npm run conform -- FILE'],
  ['several recordings', ['a.jsonl', 'b.jsonl'], 'Give one recording: npm run conform -- FILE'],
  ['a file that does not exist', ['/does/not/exist'], 'There is no file /does/not/exist.'],
])('the comparison with %s says what is wrong, and ends with code 2', async (_, words, expected) => {
  const outcome = await new Promise((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, 'run.ts'), ...words], (error, stdout, stderr) =>
      resolve({ code: error?.code, stdout, stderr }),
    );
  });
  expect(outcome).toEqual({ code: 2, stdout: '', stderr: `${expected}\n` });
});
