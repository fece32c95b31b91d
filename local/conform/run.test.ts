import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'conform-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const onlyHead = join(folder, 'head.jsonl');
writeFileSync(onlyHead, '{"recording":1,"platform":"graph.facebook.com"}\n');

it.each([
  ['no recording', [], 'Give one recording: npm run conform -- FILE'],
  ['several recordings', ['a.jsonl', 'b.jsonl'], 'Give one recording: npm run conform -- FILE'],
  ['a file that does not exist', ['/does/not/exist'], 'There is no file /does/not/exist.'],
  ['a recording of nothing', [onlyHead], `${onlyHead} has nothing to compare, only its first line.`],
])('the comparison with %s says what is wrong, and ends with code 2', async (_, words, expected) => {
  const outcome = await new Promise((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, 'run.ts'), ...words], (error, stdout, stderr) =>
      resolve({ code: error?.code, stdout, stderr }),
    );
  });
  expect(outcome).toEqual({ code: 2, stdout: '', stderr: `${expected}\n` });
});
