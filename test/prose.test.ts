import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const longest = 120;
const generated = ['docs/flow-json.md'];
const pages = globSync(['*.md', '{docs,bench,.github}/**/*.md'], { cwd: root }).sort();
const handWritten = pages.filter((page) => !generated.includes(page));
const read = (page: string) => readFileSync(join(root, page), 'utf8');

/** The lines of a page without its tables and code blocks, with their numbers. */
function proseLines(markdown: string): { number: number; text: string }[] {
  let fence = '';
  return markdown.split('\n').flatMap((text, index) => {
    const [, mark = ''] = /^\s*(`{3,})/.exec(text) ?? [];
    const isCode = fence !== '' || mark !== '';
    if (mark !== '') fence = fence === '' ? mark : '';
    return isCode || /^\s*\|/.test(text) ? [] : [{ number: index + 1, text }];
  });
}

/** A line that starts with a link or a word of its own that is too long cannot be shorter. */
const canBreak = (text: string) => /\S\s+\S/.test(text.replace(/^\s*([-*]|\d+\.)\s+/, ''));

describe('the pages in Markdown', () => {
  it.each(handWritten)(`have prose lines of at most ${longest} characters: %s`, (page) => {
    const tooLong = proseLines(read(page)).filter(({ text }) => [...text].length > longest && canBreak(text));
    expect(tooLong.map(({ number, text }) => `${page}:${number}: ${text}`)).toEqual([]);
  });

  it.each(pages)('link only to files that exist: %s', (page) => {
    const links = [...read(page).matchAll(/\]\((?![a-z]+:)([^)#\s]+)/g)].map(([, path = '']) => path);
    expect(links.filter((path) => !existsSync(join(root, dirname(page), path)))).toEqual([]);
  });
});

describe('the decision records', () => {
  const folder = join(root, 'docs/decisions');
  const records = globSync('[0-9]*.md', { cwd: folder }).sort();
  const index = readFileSync(join(folder, 'README.md'), 'utf8');

  it.each(records)('have a number, a status with a date, alternatives, and a line in the index: %s', (record) => {
    const text = readFileSync(join(folder, record), 'utf8');
    expect(text).toMatch(
      new RegExp(
        `^# ${Number(record.slice(0, 4))}\\. .+\n\nStatus: (accepted|superseded|withdrawn).+\\d{4}-\\d\\d-\\d\\d`,
      ),
    );
    expect(text).toMatch(/\bAlternatives?\b/);
    expect(index).toContain(`](${record})`);
  });
});
