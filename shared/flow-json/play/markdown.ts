import { imageDataUrl, parseWebAddress } from '#shared/flow-json/document/values.ts';

/** Nodes, never HTML: they can only become text, links to web pages and inline images. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2; readonly children: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }
  /** The first row is the header. */
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Inline[])[])[] };

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: InlineStyle; readonly children: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly Inline[] }
  | { readonly kind: 'image'; readonly src: string; readonly alt: string };

export type InlineStyle = 'bold' | 'italic' | 'strikethrough';

/** A RichText supports everything; a TextBody or TextCaption with `markdown` has no headings, tables or images. */
export type Flavour = 'rich' | 'basic';

const styles: ReadonlyMap<string, InlineStyle> = new Map([
  ['**', 'bold'],
  ['*', 'italic'],
  ['~~', 'strikethrough'],
]);
const headingPattern = /^(#+)\s+(.*)$/s;
const listItemPattern = /^(?:[-+]|(\d+)\.)\s+(.*)$/s;
const tableRulePattern = /^[\s:|-]+$/;
const inlineTokenPattern = /\*{1,3}|~~|!?\[|\]\(|\\[\\*~[\]()!#|+-]/g;
const targetEndPattern = /[\s()]/g;

/** Reads the subset of Markdown that phones show (Meta's page "Components"). Each string starts a new line. */
export function parseMarkdown(source: string | readonly string[], flavour: Flavour): Block[] {
  const lines = (typeof source === 'string' ? [source] : source)
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim());
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const { block, length } = readBlock(lines, at, flavour);
    if (block !== undefined) blocks.push(block);
    at += length;
  }
  return blocks;
}

function readBlock(lines: readonly string[], at: number, flavour: Flavour): { block?: Block; length: number } {
  const line = lines[at] ?? '';
  if (line === '') return { length: 1 };
  if (listItemPattern.test(line)) return readList(lines, at, flavour);
  if (flavour === 'rich' && isTableRow(line)) return readTable(lines, at);
  return { block: readLine(line, flavour), length: 1 };
}

function readLine(line: string, flavour: Flavour): Block {
  const [, marks, rest] = (flavour === 'rich' && headingPattern.exec(line)) || [];
  if (marks === undefined || rest === undefined) {
    return { kind: 'paragraph', children: parseInline(line, flavour) };
  }
  const children = parseInline(rest, flavour);
  if (marks.length > 2) return { kind: 'paragraph', children };
  return { kind: 'heading', level: marks.length === 1 ? 1 : 2, children };
}

function readList(lines: readonly string[], from: number, flavour: Flavour): { block: Block; length: number } {
  const isOrdered = listItemPattern.exec(lines[from] ?? '')?.[1] !== undefined;
  const items: Inline[][] = [];
  for (let at = from; at < lines.length; at += 1) {
    const [, number, text] = listItemPattern.exec(lines[at] ?? '') ?? [];
    if (text === undefined || (number !== undefined) !== isOrdered) break;
    items.push(parseInline(text, flavour));
  }
  return { block: { kind: 'list', isOrdered, items }, length: items.length };
}

function readTable(lines: readonly string[], from: number): { block: Block; length: number } {
  let to = from;
  while (isTableRow(lines[to] ?? '')) to += 1;
  const rows = lines.slice(from, to).filter((line, index) => index !== 1 || !tableRulePattern.test(line));
  return { block: { kind: 'table', rows: rows.map(readRow) }, length: to - from };
}

function isTableRow(line: string): boolean {
  return line.length > 1 && line.startsWith('|') && line.endsWith('|');
}

function readRow(line: string): Inline[][] {
  const cells = line.slice(1, -1).split('|');
  return cells.map((cell) => parseInline(cell.trim(), 'rich'));
}

/** A style, link or image that is still open while a line is read, with its content so far. */
interface Frame {
  readonly opener: string;
  readonly children: Inline[];
}

/** Styles nested deeper than this stay text. */
const maxFrames = 8;

function parseInline(text: string, flavour: Flavour): Inline[] {
  return new InlineParser(text, flavour).parse();
}

class InlineParser {
  readonly #text: string;
  readonly #flavour: Flavour;
  readonly #frames: Frame[] = [{ opener: '', children: [] }];
  #at = 0;

  constructor(text: string, flavour: Flavour) {
    this.#text = text;
    this.#flavour = flavour;
  }

  parse(): Inline[] {
    for (;;) {
      inlineTokenPattern.lastIndex = this.#at;
      const token = inlineTokenPattern.exec(this.#text);
      if (token === null) break;
      this.#addText(this.#text.slice(this.#at, token.index));
      this.#at = token.index + token[0].length;
      this.#take(token[0]);
    }
    this.#addText(this.#text.slice(this.#at));
    while (this.#frames.length > 1) this.#spill();
    return this.#frames[0]?.children ?? [];
  }

  #take(token: string): void {
    if (token.startsWith('\\')) this.#addText(token.slice(1));
    else if (token === '](') this.#closeLink();
    else if (token === '***') this.#takeBoth();
    else if (this.#frames.some(({ opener }) => opener === token) && styles.has(token)) this.#closeStyle(token);
    else this.#open(token);
  }

  /** Bold and italic together: the one that was opened last is closed first. */
  #takeBoth(): void {
    const both = this.#frames.at(-1)?.opener === '*' ? ['*', '**'] : ['**', '*'];
    for (const token of both) this.#take(token);
  }

  #open(token: string): void {
    const isAllowed = token !== '![' || this.#flavour === 'rich';
    // A link cannot contain a link, so the one that is open becomes text.
    while (isAllowed && token.endsWith('[') && this.#isLinkOpen()) this.#spill();
    if (isAllowed && this.#frames.length < maxFrames) this.#frames.push({ opener: token, children: [] });
    else this.#addText(token);
  }

  #closeStyle(token: string): void {
    while (this.#frames.at(-1)?.opener !== token) this.#spill();
    const { children } = this.#frames.pop() ?? { children: [] };
    const kind = styles.get(token);
    if (kind === undefined || children.length === 0) this.#addText(token + token);
    else this.#add({ kind, children });
  }

  #closeLink(): void {
    const target = this.#target();
    if (target === undefined || !this.#isLinkOpen()) {
      this.#addText('](');
      return;
    }
    this.#at += target.length + 1;
    while (!this.#frames.at(-1)?.opener.endsWith('[')) this.#spill();
    const { opener, children } = this.#frames.pop() ?? { opener: '[', children: [] };
    for (const node of opener === '![' ? imageNodes(target, children) : linkNodes(target, children)) this.#add(node);
  }

  /** The text up to the closing parenthesis, if there is one and the text has no spaces. */
  #target(): string | undefined {
    targetEndPattern.lastIndex = this.#at;
    const end = targetEndPattern.exec(this.#text);
    return end?.[0] === ')' ? this.#text.slice(this.#at, end.index) : undefined;
  }

  #isLinkOpen(): boolean {
    return this.#frames.some(({ opener }) => opener.endsWith('['));
  }

  /** Turns the last opened frame back into text, because it was never closed. */
  #spill(): void {
    const frame = this.#frames.pop();
    if (frame === undefined) return;
    this.#addText(frame.opener);
    for (const node of frame.children) this.#add(node);
  }

  #add(node: Inline): void {
    if (node.kind === 'text') this.#addText(node.text);
    else this.#frames.at(-1)?.children.push(node);
  }

  #addText(text: string): void {
    const children = this.#frames.at(-1)?.children;
    const last = children?.at(-1);
    if (children === undefined || text === '') return;
    if (last?.kind === 'text') children[children.length - 1] = { kind: 'text', text: last.text + text };
    else children.push({ kind: 'text', text });
  }
}

/** Only a link to a web page becomes a link; any other becomes its text. */
function linkNodes(target: string, children: readonly Inline[]): readonly Inline[] {
  const url = parseWebAddress(target);
  return url === undefined ? children : [{ kind: 'link', href: url.href, children }];
}

function imageNodes(target: string, children: readonly Inline[]): readonly Inline[] {
  const src = imageDataUrl(target);
  const alt = children.map((node) => (node.kind === 'text' ? node.text : '')).join('');
  return src === undefined ? children : [{ kind: 'image', src, alt }];
}
