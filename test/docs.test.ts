import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = globSync(['*.md', '{docs,bench,.github}/**/*.md'], { cwd: root }).sort();

/** A page without its blocks of code, in which a line may look like a heading or a link. */
const proseOf = (page: string) => read(page).replace(/^\s*(`{3,})[\s\S]*?^\s*\1$/gm, '');

/** The anchors that GitHub gives the headings of a page. */
const anchorsOf = (page: string) =>
  [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\]\([^)]*\)/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
}

/** Decisions and the changelog also say how something was. */
const current = pages.filter((page) => !/^CHANGELOG|^docs\/decisions/.test(page));

describe('the pages in Markdown', () => {
  it.each(pages)('link only to files and headings that exist: %s', (page) => {
    const links = [...proseOf(page).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => isBroken(page, link))).toEqual([]);
  });

  it('have no markers of a merge conflict', () => {
    expect(pages.filter((page) => /^(<{7}|>{7}) /m.test(read(page)))).toEqual([]);
  });

  it('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = current.flatMap((page) =>
      [...read(page).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name),
    );
    expect(named.filter((name) => name && !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

describe('the phrases that the glossary forbids', () => {
  const [, list = ''] = read('docs/glossary.md').split('\n## Phrases\n');
  const phrases = [...list.matchAll(/^\| `(.+?)` \|/gm)].flatMap(([, cell = '']) => cell.split('`, `'));
  const inText = new RegExp(`\\b(${phrases.join('|')})\\b`, 'gi');
  const written = [
    'shared/{http,operations}/**/*.ts',
    'shared/**/{*-texts,texts}.ts',
    '{cli,infra,local,web}/**/*.{ts,tsx}',
  ];
  const texts = globSync(written, { cwd: root, exclude: ['**/*.test.ts'] });

  it('do not occur in the docs, in the API description and in what the program says', () => {
    expect(phrases.length).toBeGreaterThan(5);
    const files = [...current, 'openapi.yaml', ...texts].filter((file) => file !== 'docs/glossary.md');
    const found = files.flatMap((file) => [...new Set(read(file).match(inText))].map((phrase) => `${file}: ${phrase}`));
    expect(found).toEqual([]);
  });
});

it('each guarantee of delivery names a test that exists', () => {
  const rows = read('docs/internals/guarantees.md').match(/^\| \d.+$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(25);
  const exists = (row: string) => {
    const [, file = '', title = ''] = /\]\(\.\.\/\.\.\/(\S+)\): `(.+)` \|$/.exec(row) ?? [];
    return title !== '' && existsSync(join(root, file)) && read(file).includes(`'${title}'`);
  };
  expect(rows.filter((row) => !exists(row))).toEqual([]);
});
