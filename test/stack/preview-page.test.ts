import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, inject, it } from 'vitest';
import { functions } from '#functions/operations.ts';
import { builtFolders } from '#local/start/build.ts';

const folders = functions
  .filter(({ uses }) => uses.previewAssets)
  .map(({ name }) => join(inject('functionsDirectory'), name, 'assets'));

const kilobytes = (file: string) => gzipSync(readFileSync(file), { level: 9 }).length / 1024;

/** XML namespaces and the placeholder address are never requested. */
const isAsked = (host = '') => host !== 'www.w3.org' && host !== 'example.invalid';

describe('the files of the preview page', () => {
  const [folder = ''] = folders;
  const files = readdirSync(folder).toSorted();

  it('are one script and one style, named after their content, and the same for every function', () => {
    expect(files.map((file) => file.replace(/-[A-Z0-9]{8}\./, '-*.')).toSorted()).toEqual([
      'preview-*.css',
      'preview-*.js',
    ]);
    for (const other of folders) expect(readdirSync(other).toSorted()).toEqual(files);
  });

  it.each([
    ['css', 8],
    ['js', 28],
  ])('stay within their budget: .%s at most %d KB gzip', (extension, budget) => {
    const file = files.find((name) => name.endsWith(extension)) ?? '';
    expect(kilobytes(join(folder, file))).toBeLessThanOrEqual(budget);
  });

  it('send no requests elsewhere and build no markup from text', () => {
    for (const file of files) {
      const text = readFileSync(join(folder, file), 'utf8');
      expect([...text.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host).filter(isAsked)).toEqual([]);
      expect(text).not.toMatch(/\beval\(|new Function|document\.write/);
    }
  });
});

it.each([
  ['css', 10],
  ['js', 60],
])('the console stays within its budget: .%s at most %d KB gzip', (extension, budget) => {
  const folder = join(builtFolders(inject('buildDirectory')).consoleDirectory, 'console');
  const sizes = readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .map((name) => kilobytes(join(folder, name)));
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(budget);
});
