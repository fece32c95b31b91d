import { globSync, readFileSync } from 'node:fs';
import { join, parse as parsePath } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { logEventsIn, namesIn, wordsOf } from '../support/names.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const glossary = read('docs/glossary.md');
const [terms = '', phrases = '', identifiers = '', wholeNames = ''] = glossary.split(
  /\n## (?:Phrases|Identifiers|Whole names)\n/,
);

const listed = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, phrase = '']) => phrase);
/** The entries in the first column of a table. */
const firstColumn = (section: string) =>
  section.split('\n').flatMap((row) => listed(/^\| (`.+?) \|/.exec(row)?.[1] ?? ''));
const forbidden = firstColumn(phrases);
const forbiddenInNames = firstColumn(identifiers);
const forbiddenWholeNames = firstColumn(wholeNames);
const anyPhrase = `\\b(${forbidden.join('|')})\\b`;

const pages = globSync(['*.md', 'docs/*.md', 'docs/internals/*.md'], {
  cwd: root,
  exclude: ['docs/glossary.md', 'CHANGELOG.md'],
});
const sources = globSync(
  [
    'shared/http/**/*.ts',
    'functions/*/*/{contract,definition}.ts',
    'functions/api/get-openapi/documentation/*.ts',
    'infra/constructs/service-*.ts',
    'infra/deploy/**/*.ts',
    'local/*.ts',
    'local/{start,console,live,tail}/**/*.ts',
    'web/{preview,console,sheet}/**/*.{ts,tsx}',
    'cli/**/*.ts',
  ],
  { cwd: root, exclude: ['**/*.test.ts'] },
);

const topFolders = ['bench', 'cli', 'docs', 'functions', 'infra', 'local', 'shared', 'support', 'test', 'web'];

const withoutComments = (code: string) =>
  code.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ''));

/** The forbidden phrases in a text, with some words around them; line breaks count as spaces. */
const findings = (text: string) =>
  [...text.replace(/\s+/g, ' ').matchAll(new RegExp(`.{0,40}${anyPhrase}.{0,40}`, 'gi'))].map(([match]) => match);

describe('the glossary', () => {
  it('lists every term once', () => {
    const names = [...terms.matchAll(/^\| ([^|]+?) \|/gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'Term' && name !== '---');
    expect(names.length).toBeGreaterThan(40);
    expect(names).toEqual([...new Set(names)]);
  });

  it('is linked from the README and from CONTRIBUTING', () => {
    for (const page of ['README.md', 'CONTRIBUTING.md']) expect(read(page)).toContain('](docs/glossary.md)');
  });
});

describe('the phrases that the glossary forbids', () => {
  it('can be read from the glossary', () => {
    expect(forbidden).toEqual(expect.arrayContaining(['is out of order', 'mend', 'to come again']));
  });

  it.each([...pages, 'openapi.yaml'].sort())('do not occur in %s', (page) => {
    expect(findings(read(page))).toEqual([]);
  });

  it.each(sources.sort())('do not occur in the texts of %s', (source) => {
    expect(findings(withoutComments(read(source)))).toEqual([]);
  });
});

describe('the words that the glossary forbids in names', () => {
  const inName = new RegExp(`\\b(${forbiddenInNames.join('|')})\\b`);
  const isForbidden = (name: string) => name !== 'allSettled' && inName.test(wordsOf(name));
  const isForbiddenWhole = (name: string) => forbiddenWholeNames.includes(name.toLowerCase());

  it('can be read from the glossary', () => {
    expect(forbiddenInNames).toEqual(expect.arrayContaining(['refused', 'give up', 'under way']));
    expect(forbiddenWholeNames).toEqual(expect.arrayContaining(['given', 'most']));
  });

  it('are found as parts of any name but not in keys, texts and comments', () => {
    const code = `
      // refused
      class Outgoing { #giveUp(settled: Verdict): 'refused' { return { refused: this.wasRefused(settled) } } }
      const { OUTGOING_HOST, refused: answer } = process.env; await Promise.allSettled([]); <p title="refused" />`;
    expect(namesIn(code, true).filter(isForbidden).sort()).toEqual([
      'Outgoing',
      'Verdict',
      'giveUp',
      'settled',
      'settled',
      'wasRefused',
    ]);
  });

  it('are found as whole names but not as parts of longer ones', () => {
    const names = namesIn('const made = (known: number, knownErrors: Made) => given(known, knownErrors);');
    expect(names.filter(isForbiddenWhole)).toEqual(['made', 'known', 'Made', 'given', 'known']);
  });

  it('are found in log events, however the event is named', () => {
    const code = `
      function faultEvent(error) { return error.isOurs ? 'request.failed' : 'upstream.credentials-refused'; }
      log('warn', 'queue.refused', { text: 'refused' });
      log('error', faultEvent(error));
      log('warn', isLate ? \`delivery.\${reason}-parked\` : 'delivery.late');
      FilterPattern.any(logEvent('target.given-up'), other('refused'));`;
    expect(logEventsIn(code).filter(isForbidden)).toEqual([
      'queue.refused',
      'upstream.credentials-refused',
      '-parked',
      'target.given-up',
    ]);
  });

  const sourcesOf = (folder: string) =>
    globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: root, exclude: ['**/node_modules'] });

  it.each(topFolders)('do not occur in names of %s', (folder) => {
    const paths = sourcesOf(folder);
    expect(paths.length).toBeGreaterThan(10);
    const found = paths.flatMap((path) => [
      ...(isForbidden(path) || isForbiddenWhole(parsePath(path).name) ? [path] : []),
      ...[...new Set(namesIn(read(path), path.endsWith('.tsx')))]
        .filter((name) => isForbidden(name) || isForbiddenWhole(name))
        .map((name) => `${path}: ${name}`),
    ]);
    expect(found).toEqual([]);
  });

  it('do not occur in log events', () => {
    const events = topFolders.flatMap(sourcesOf).flatMap((path) => logEventsIn(read(path), path.endsWith('.tsx')));
    expect(events).toEqual(
      expect.arrayContaining(['delivery.failed', 'upstream.credentials-rejected', 'queue.rejected']),
    );
    expect(events.filter(isForbidden)).toEqual([]);
  });
});

/** The summaries and descriptions of the API description. */
function descriptions(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(descriptions);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (name === 'example' || name === 'examples') return [];
    return typeof member === 'string' && /^(summary|description)$/.test(name) ? [member] : descriptions(member);
  });
}

describe('the API description', () => {
  const texts = descriptions(parse(read('openapi.yaml'))).map((text) => text.replace(/`[^`]*`/g, ''));

  it('calls only an SDP an answer', () => {
    expect(texts.length).toBeGreaterThan(300);
    expect(texts.filter((text) => /(?<!SDP )\banswers?\b/.test(text))).toEqual([]);
  });

  it('calls the upstream the messaging platform', () => {
    expect(texts.filter((text) => /messaging platform/.test(text)).length).toBeGreaterThan(20);
    expect(texts.filter((text) => /\bupstream\b/i.test(text))).toEqual([]);
  });
});
