import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '#support/arbitraries.ts';
import { type Block, type Inline, parseMarkdown } from './markdown.ts';

const png = 'iVBORw0KGgoAAAANSUhEUg';

/** A short notation of nodes, so that expectations can be read. */
function show(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => {
      switch (node.kind) {
        case 'text':
          return node.text;
        case 'image':
          return `<img ${node.alt}>`;
        case 'link':
          return `<a ${node.href}>${show(node.children)}</a>`;
        default:
          return `<${node.kind}>${show(node.children)}</${node.kind}>`;
      }
    })
    .join('');
}

const inline = (text: string, flavour: 'rich' | 'basic' = 'rich') => {
  const [block] = parseMarkdown(text, flavour);
  return block?.kind === 'paragraph' ? show(block.children) : block?.kind;
};
const paragraph = (text: string): Block => ({ kind: 'paragraph', children: [{ kind: 'text', text }] });

describe('inline markup', () => {
  it.each([
    ['plain', 'plain'],
    ['a **b** c', 'a <bold>b</bold> c'],
    ['a *b* c', 'a <italic>b</italic> c'],
    ['a ~~b~~ c', 'a <strikethrough>b</strikethrough> c'],
    ['**a *b* c**', '<bold>a <italic>b</italic> c</bold>'],
    ['***a***', '<bold><italic>a</italic></bold>'],
    ['**a', '**a'],
    ['a * b', 'a * b'],
    ['****', '****'],
    ['\\*a\\*', '*a*'],
    ['[a](https://example.com/x?y=1)', '<a https://example.com/x?y=1>a</a>'],
    ['[**a**](https://example.com)', '<a https://example.com/><bold>a</bold></a>'],
    ['**[a](https://example.com)**', '<bold><a https://example.com/>a</a></bold>'],
    ['[a [b](https://example.com) c](https://example.com)', '[a <a https://example.com/>b</a> c](https://example.com)'],
    ['[a](javascript:alert(1))', '[a](javascript:alert(1))'],
    ['[a](javascript:alert)', 'a'],
    ['[a](data:text/html,x)', 'a'],
    ['[a](/local)', 'a'],
    ['[a]', '[a]'],
    ['[a](', '[a]('],
    ['a](https://example.com)', 'a](https://example.com)'],
    [`![dot](data:image/png;base64,${png})`, '<img dot>'],
    ['![dot](https://example.com/a.png)', 'dot'],
    ['![dot](data:image/svg+xml;base64,PHN2Zz4=)', 'dot'],
    ['<b>a</b> &amp;', '<b>a</b> &amp;'],
  ])('%s is parsed as inline markup', (text, expected) => {
    expect(inline(text)).toBe(expected);
  });
});

describe('blocks', () => {
  it('include headings of two levels, and deeper ones are text', () => {
    expect(parseMarkdown(['# A', '## B', '### C', '#D'], 'rich')).toEqual([
      { kind: 'heading', level: 1, children: [{ kind: 'text', text: 'A' }] },
      { kind: 'heading', level: 2, children: [{ kind: 'text', text: 'B' }] },
      paragraph('C'),
      paragraph('#D'),
    ]);
  });

  it('include ordered and unordered lists', () => {
    const item = (text: string) => [{ kind: 'text', text }];
    expect(parseMarkdown('- a\n+ b\n1. c\n2. d\n* e', 'rich')).toEqual([
      { kind: 'list', isOrdered: false, items: [item('a'), item('b')] },
      { kind: 'list', isOrdered: true, items: [item('c'), item('d')] },
      paragraph('* e'),
    ]);
  });

  it('include tables with empty cells', () => {
    const cell = (text: string) => (text === '' ? [] : [{ kind: 'text', text }]);
    expect(parseMarkdown(['| a | b |', '|---|:-:|', '| c |  |', 'x'], 'rich')).toEqual([
      {
        kind: 'table',
        rows: [
          [cell('a'), cell('b')],
          [cell('c'), cell('')],
        ],
      },
      paragraph('x'),
    ]);
  });

  it('are separated by line breaks, and empty lines are dropped', () => {
    expect(parseMarkdown(['a\n\nb', '', ' c '], 'rich')).toEqual([paragraph('a'), paragraph('b'), paragraph('c')]);
  });
});

it('the text of a TextBody has no headings, tables and images', () => {
  expect(parseMarkdown(['# A', '| a |'], 'basic')).toEqual([paragraph('# A'), paragraph('| a |')]);
  expect(inline(`![dot](data:image/png;base64,${png})`, 'basic')).not.toContain('<img');
  expect(inline('**a** [b](https://example.com)', 'basic')).toBe('<bold>a</bold> <a https://example.com/>b</a>');
});

const pieces = fc
  .array(
    fc.oneof(
      fc.constantFrom('**', '*', '~~', '[', '![', '](', ')', '\n', '- ', '1. ', '# ', '|', '\\', 'a', ' '),
      fc.constantFrom('<script>alert(1)</script>', 'javascript:alert', 'https://example.com', '<img src=x onerror=a>'),
      fc.constantFrom(
        `data:image/png;base64,${png}`,
        'data:text/html;base64,PHNjcmlwdD4=',
        'JAVASCRIPT:x',
        'vbscript:x',
      ),
    ),
  )
  .map((parts) => parts.join(''));

const inlineOf = (block: Block): readonly Inline[] => {
  if (block.kind === 'list') return block.items.flat();
  return block.kind === 'table' ? block.rows.flat(2) : block.children;
};
const allNodes = (nodes: readonly Inline[]): Inline[] =>
  nodes.flatMap((node) => [node, ...('children' in node ? allNodes(node.children) : [])]);

describe('any text', () => {
  it('becomes only text, links to web pages and embedded images', () => {
    fc.assert(
      fc.property(fc.oneof(pieces, anyText), fc.constantFrom('rich', 'basic'), (text, flavour) => {
        for (const node of parseMarkdown(text, flavour).flatMap((block) => allNodes(inlineOf(block)))) {
          if (node.kind === 'link') expect(node.href).toMatch(/^https?:\/\//);
          if (node.kind === 'image') expect(node.src).toMatch(/^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/=]+$/);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps every letter that is shown', () => {
    const words = fc.array(fc.constantFrom('**', '*', '~~', '[', '](', ')', 'abc', 'def', ' '), { minLength: 1 });
    fc.assert(
      fc.property(words, (parts) => {
        const letters = (text: string) => text.replace(/[^a-f]/g, '');
        const nodes = parseMarkdown(parts.join(''), 'rich').flatMap((block) => allNodes(inlineOf(block)));
        const shown = nodes.map((node) => (node.kind === 'text' ? node.text : '')).join('');
        if (!parts.join('').includes('](')) expect(letters(shown)).toBe(letters(parts.join('')));
      }),
    );
  });

  it.each(['**', '*', '[', '](', '![a](', '~~', '| ', '- ', '\\', '[a](b', '# ', ' ', '\n'])(
    'of a megabyte of %j is parsed quickly',
    (piece) => {
      expect(parseMarkdown(piece.repeat(1_000_000 / piece.length), 'rich')).toBeInstanceOf(Array);
    },
  );
});
