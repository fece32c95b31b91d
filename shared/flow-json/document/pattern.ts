/** A regular expression from the author of a Flow. */
export interface Pattern {
  /** Returns whether the pattern matches the whole text, like HTML's `pattern` attribute. */
  matches(text: string): boolean;
}

/** The pattern is not a regular expression, or uses something unsupported: look-around, back-references, `\b`. */
export class PatternError extends Error {
  readonly isUnsupported: boolean;

  constructor(message: string, isUnsupported = false) {
    super(message);
    this.isUnsupported = isUnsupported;
  }
}

type Test = (character: string) => boolean;

/** Leads to `next`: on a character that passes the test, at that end of the text for an anchor, otherwise always. */
interface State {
  readonly test?: Test;
  readonly anchor?: '^' | '$';
  readonly next: State[];
}

/** Builds the states for a part of the pattern, given the state that follows. */
type Build = (next: State) => State;

const maxCompiledLength = 5_000;
const maxStates = 2_000;
const maxDepth = 50;

const quantifierPattern = /[*+?]|\{(\d+)(,(\d*))?\}/uy;
/** An escape, a set, or any other character. */
const atomPattern = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|[pP]\{[^{}]*\}|.)|\[(?:\\.|[^\]\\])*\]|./suy;
/** Back-references and the ends of words, which are no characters. */
const unsupportedPattern = /^\\[1-9Bbk]/;
/**
 * Any escape. In a set, JavaScript does not allow the first kind, which other engines read as the character itself, nor a
 * bare hyphen after the second.
 */
const escapePattern = /\\(?:([^\w^$\\.*+?()[\]{}|/-])|([dDsSwW]|[pP]\{[^{}]*\})-|.)/gsu;

/**
 * Compiles a pattern so that no pattern and no text can hang a page. Instead of backtracking, a match follows all paths
 * at once (Thompson's construction), so it takes at most {@link maxStates} steps per character.
 * Throws {@link PatternError}.
 */
export function compilePattern(source: string): Pattern {
  const accepted: State = { next: [] };
  const start = new Compiler(source).compile(accepted);
  return { matches: (text) => run(start, text).has(accepted) };
}

/** The states that are active at the end of the text. */
function run(start: State, text: string): Set<State> {
  const characters = [...text];
  let states = reachable([start], true, characters.length === 0);
  for (const [index, character] of characters.entries()) {
    const passed = [...states].filter(({ test }) => test?.(character)).flatMap(({ next }) => next);
    states = reachable(passed, false, index === characters.length - 1);
    if (states.size === 0) break;
  }
  return states;
}

/** These states, and the states they lead to without consuming a character. */
function reachable(from: readonly State[], atStart: boolean, atEnd: boolean): Set<State> {
  const states = new Set(from);
  for (const { test, anchor, next } of states) {
    const isOpen = anchor === undefined ? test === undefined : anchor === '^' ? atStart : atEnd;
    if (isOpen) for (const state of next) states.add(state);
  }
  return states;
}

class Compiler {
  readonly #source: string;
  #at = 0;
  #depth = 0;
  #states = 0;

  constructor(source: string) {
    this.#source = source;
  }

  compile(accepted: State): State {
    if (this.#source.length > maxCompiledLength) throw new PatternError('Too long', true);
    const build = this.#alternatives();
    if (this.#at < this.#source.length) throw new PatternError("Unmatched ')'");
    return build(accepted);
  }

  #state(state: State): State {
    this.#states += 1;
    if (this.#states > maxStates) throw new PatternError('Too large', true);
    return state;
  }

  #alternatives(): Build {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return (next) => this.#state({ next: options.map((build) => build(next)) });
  }

  #sequence(): Build {
    const parts: Build[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#peek())) parts.push(this.#repeated(this.#atom()));
    return (next) => parts.reduceRight((after, build) => build(after), next);
  }

  #repeated(build: Build): Build {
    const counts = this.#quantifier();
    if (counts === undefined) return build;
    this.#take('?');
    if (this.#quantifier() !== undefined) throw new PatternError('Nothing to repeat');
    const { min, max } = counts;
    if (max < min) throw new PatternError('Numbers out of order in a quantifier');
    if (min > maxStates || (max > maxStates && max !== Number.POSITIVE_INFINITY)) {
      throw new PatternError('Too large', true);
    }
    return (next) => {
      let state = next;
      if (max === Number.POSITIVE_INFINITY) state = this.#loop(build, next);
      else for (let i = min; i < max; i += 1) state = this.#state({ next: [build(state), next] });
      for (let i = 0; i < min; i += 1) state = build(state);
      return state;
    };
  }

  #loop(build: Build, next: State): State {
    const entry = this.#state({ next: [next] });
    entry.next.push(build(entry));
    return entry;
  }

  #quantifier(): { min: number; max: number } | undefined {
    const [text, from = '', range, to] = this.#match(quantifierPattern) ?? [];
    switch (text) {
      case undefined:
        return undefined;
      case '*':
        return { min: 0, max: Number.POSITIVE_INFINITY };
      case '+':
        return { min: 1, max: Number.POSITIVE_INFINITY };
      case '?':
        return { min: 0, max: 1 };
    }
    const min = Number(from);
    if (range === undefined) return { min, max: min };
    return { min, max: to === undefined || to === '' ? Number.POSITIVE_INFINITY : Number(to) };
  }

  #atom(): Build {
    const atom = this.#match(atomPattern)?.[0] ?? '';
    switch (atom) {
      case '(':
        return this.#group();
      case '^':
      case '$':
        return (next) => this.#state({ anchor: atom, next: [next] });
      case '*':
      case '+':
      case '?':
        throw new PatternError('Nothing to repeat');
    }
    const test = testOf(atom);
    return (next) => this.#state({ test, next: [next] });
  }

  #group(): Build {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new PatternError('Nested too deeply', true);
    if (this.#take('?') && !this.#take(':')) throw new PatternError(`Unsupported (?${this.#peek()}`, true);
    const build = this.#alternatives();
    if (!this.#take(')')) throw new PatternError('Unterminated group');
    this.#depth -= 1;
    return build;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  #peek(): string {
    const codeUnit = this.#source.codePointAt(this.#at);
    return codeUnit === undefined ? '' : String.fromCodePoint(codeUnit);
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += character.length;
    return true;
  }
}

/** Leaves to JavaScript's engine which single characters a point, an escape or a set stands for. */
function testOf(atom: string): Test {
  if (atom === '\\') throw new PatternError('Nothing after a backslash');
  if (unsupportedPattern.test(atom)) throw new PatternError(`Unsupported ${atom}`, true);
  if (!/^(?:\.$|\\\w|\[)/.test(atom)) {
    const literal = atom.replace('\\', '');
    return (character) => character === literal;
  }
  try {
    const source = atom.replace(escapePattern, (written: string, character?: string, charactersOf?: string) =>
      charactersOf === undefined ? (character ?? written) : `\\${charactersOf}\\-`,
    );
    const expression = new RegExp(`^${source}$`, 'u');
    return (character) => expression.test(character);
  } catch {
    const isUnknownEscape = /\\\w/.test(atom);
    throw new PatternError(`${isUnknownEscape ? 'Unsupported' : 'Invalid'} ${atom}`, isUnknownEscape);
  }
}
