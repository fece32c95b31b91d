import { inspect } from 'node:util';

const longestLine = 400;

/**
 * What happened in a run, in order. Details may be functions: they are put into words only when somebody reads them.
 */
export class Trace {
  readonly #entries: { at: number; who: string; what: string; detail: unknown }[] = [];
  readonly #start: number;

  constructor(start: number) {
    this.#start = start;
  }

  add(at: number, who: string, what: string, detail?: unknown): void {
    this.#entries.push({ at, who, what, detail });
  }

  /**
   * A line for each entry; given a text, only for those that name one of its ids, and for what happened to the world
   * meanwhile. Ids and secrets, many of them random, are numbered as they appear.
   */
  lines(about?: string): string[] {
    const wanted = about?.match(anyId) ?? [];
    const names = new Map<string, string>();
    const named = (text: string) =>
      text.replaceAll(randomId, (id) => {
        const name = names.get(id) ?? `${id.startsWith('whsec_') ? 'secret' : 'id'}-${names.size + 1}`;
        names.set(id, name);
        return name;
      });
    return this.#entries.flatMap(({ at, who, what, detail }) => {
      const line = `${((at - this.#start) / 1000).toFixed(3).padStart(12)} s  ${who.padEnd(14)} ${what}${inWords(detail)}`;
      const text = named(line).slice(0, longestLine);
      const ids = line.match(anyId);
      const isWanted = ids === null ? !what.startsWith('Query') : wanted.some((id) => ids.includes(id));
      return isWanted || wanted.length === 0 ? [text] : [];
    });
  }
}

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/;
/** What tells targets of one name apart. */
const incarnation = /(?<=\.)[\da-f]{12}\b/;
const randomId = new RegExp(`whsec_[\\w+/=]+|${uuid.source}|${incarnation.source}`, 'g');
const anyId = new RegExp(`event-\\d+|${uuid.source}`, 'g');

function inWords(detail: unknown): string {
  if (typeof detail === 'function') return inWords(detail());
  if (detail === undefined) return '';
  if (typeof detail === 'string') return ` ${detail}`;
  if (detail instanceof Error) return ` ${detail.name}: ${detail.message}`;
  return ` ${inspect(detail, { breakLength: Number.POSITIVE_INFINITY, depth: 6, maxStringLength: 200, compact: true })}`;
}
