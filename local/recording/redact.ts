import { isObject } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { Ids, isUnixTime, Originals, phoneDigits } from './ids.ts';
import { isEdge } from './paths.ts';
import { type Entry, isExchange, type Json, type RecordedBody, type RecordedField } from './recording.ts';
import { redactSdp } from './redact-sdp.ts';
import {
  flowJsonGroups,
  flowJsonWords,
  freeForm,
  keptNumbers,
  namedByPlatform,
  privateNumbers,
  rules,
  type Treatment,
} from './rules.ts';

/** A public key that belongs to nobody: nothing that is encrypted for it can be read. */
const publicKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA2zm58Ko2GIcrHB+tw+df
BkLRbsxGDk27bRlw4ydAn4R63kfyuTzZPcmCcJAls7JY+cWdUm/QA7WGgI+dTHZS
vDfbFtV2Gfm9tJYctmP9yvWzPbTMx5m5f+YT0ppEZQaaQaGB/Tbute4l1lnObNME
tX5jKmUiYdH9M7n3T+w1cXb+NZwT9pdAwn6PtYLiXd/GOw9HAnXLuK1RwTCjpJ4J
hlhGDx0vL6RFgV96NwqSw3bzR9GYbq1UvWXjvXla/Rp1roP3mSRuxXxIu/t/xQz7
Zw+JZMfxOB6xGlUTDO5dkX7SXNi00DhF23PGDQBgoM3PEC6BiG1o4KDGx5/tk6Bn
/QIDAQAB
-----END PUBLIC KEY-----
`;

const treatments = new Map(
  Object.entries(rules).flatMap(([treatment, names]) => names.map((name) => [name, treatment as Treatment] as const)),
);

/** The names of the members that lead to a value, without the indexes of lists. */
type Path = readonly string[];

/** Takes from the entries all that belongs to people or opens something, by the rules. */
export function redact(entries: readonly Entry[], originals = new Originals()): Entry[] {
  // The first pass finds the originals, which no replacement may equal.
  new Redactor(originals).entries(entries);
  return new Redactor(originals).entries(entries);
}

/** Stands in a path for a text that holds JSON, whose names somebody chose, too. */
const jsonInText = '{}';

function isFreeForm(path: Path): boolean {
  const isBelow = path.slice(0, -1).some((name) => name === jsonInText || freeForm.includes(name));
  return isBelow && !namedByPlatform.includes(path.slice(-2).join('.'));
}

function treatmentOf(path: Path): Treatment {
  if (isFreeForm(path)) return 'text';
  const name = path.at(-1) ?? '';
  const ruled = treatments.get(path.slice(-2).join('.')) ?? treatments.get(name);
  return ruled ?? (/_ids?$/.test(name) ? 'id' : 'text');
}

/** What an expression of a Flow JSON compares with. */
const literals = /'([^']+)'/g;
const bindings = /\$\{[\w.\-[\]]+\}/g;

/** Whether a text is bindings such as `${form.day}`, alone or with operators and literals, and nothing else. */
function isExpression(text: string): boolean {
  const others = text.replace(bindings, '').replace(literals, '');
  return text.includes('${') && /^(true|false|[\s\d()!=<>&|+*/%.`-])*$/.test(others);
}

class Redactor {
  readonly #originals: Originals;
  readonly #ids: Ids;

  constructor(originals: Originals) {
    this.#originals = originals;
    this.#ids = new Ids(originals);
  }

  entries(entries: readonly Entry[]): Entry[] {
    return entries.map((entry) => {
      if (!isExchange(entry)) return { at: entry.at, event: this.#value(entry.event, []) };
      const { request, response } = entry;
      return {
        at: entry.at,
        request: {
          method: request.method,
          path: this.#path(request.path),
          ...(request.query && {
            query: Object.fromEntries(
              Object.entries(request.query).map(([name, text]) => [this.#key(name), this.#text(text, [name])]),
            ),
          }),
          ...(request.body && { body: this.#body(request.body) }),
        },
        response: { status: response.status, ...(response.body && { body: this.#body(response.body) }) },
      };
    });
  }

  /** Names of edges and versions stay; everything else in a path of Graph is an id. */
  #path(path: string): string {
    const segments = path.split('/').map((segment) => {
      if (isEdge(segment)) return segment;
      return encodeURIComponent(this.#ids.id(decoded(segment)));
    });
    return segments.join('/');
  }

  #body({ json, form, bytes }: RecordedBody): RecordedBody {
    return {
      ...(json !== undefined && { json: this.#value(json, []) }),
      ...(form && { form: form.map((field) => this.#field(field)) }),
      ...(bytes && { bytes: { type: this.#mediaType(bytes.type), size: bytes.size } }),
    };
  }

  #field({ name, value, file }: RecordedField): RecordedField {
    return {
      name: this.#key(name),
      ...(value !== undefined && {
        value: value === 'flow.json' ? this.#originals.keep(value) : this.#text(value, [name]),
      }),
      ...(file && {
        file: {
          type: this.#mediaType(file.type),
          size: file.size,
          ...(file.json !== undefined && { json: this.#value(file.json, [name]) }),
        },
      }),
    };
  }

  #value(value: Json, path: Path): Json {
    if (typeof value === 'string') return this.#text(value, path);
    if (typeof value === 'number') return this.#number(value, path);
    if (Array.isArray(value)) return value.map((item) => this.#value(item, path));
    if (typeof value === 'boolean' && isFreeForm(path)) return false;
    if (!isObject(value)) return value;
    if (isFlowJson(value)) return this.#flowJson(value, '');
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.#key(name), this.#value(member, [...path, name])]),
    );
  }

  #number(number: number, path: Path): number {
    const name = path.at(-1) ?? '';
    const treatment = treatmentOf(path);
    const isPrivate = privateNumbers.includes(name) || treatment === 'token' || isFreeForm(path);
    if (isPrivate) return this.#replacedNumber(number, 1);
    const isId = ['id', 'phone'].includes(treatment);
    if (Math.abs(number) < 1_000_000 || (!isId && (keptNumbers.includes(name) || isTime(number)))) {
      this.#originals.keep(String(number));
      return number;
    }
    const digits = String(Math.abs(Math.trunc(number)));
    return this.#replacedNumber(number, /^\d+$/.test(digits) ? Number(this.#ids.digits(digits)) : 1);
  }

  #replacedNumber(original: number, replacement: number): number {
    this.#originals.add(String(original));
    return replacement;
  }

  /** A name of a member stays unless it may be of a person. */
  #key(name: string): string {
    if (/^[\w.\-:$[\]]{1,64}$/.test(name) && !/\d{5,}/.test(name) && !isEncoded(name))
      return this.#originals.keep(name);
    this.#originals.add(name);
    return this.#ids.identifier(name);
  }

  #text(text: string, path: Path): string {
    const nested = nestedJson(text);
    if (nested !== undefined)
      return JSON.stringify(this.#value(nested, isListOfWords(text, path) ? path : pathInside(nested, path)));
    switch (treatmentOf(path)) {
      case 'keep':
        return this.#kept(text);
      case 'id':
      case 'phone':
        return text === '' || text === 'unused' ? this.#originals.keep(text) : this.#ids.id(text);
      case 'token':
        this.#originals.add(text);
        return text === '' ? '' : 'redacted';
      case 'identifier':
        return this.#ids.identifier(text);
      case 'link':
        return text === '' ? '' : this.#ids.link(text);
      case 'host':
        this.#originals.add(text);
        return this.#originals.keep('sip.redacted.example');
      case 'emoji':
        return text === '' ? '' : '👍';
      case 'sdp':
        return this.#sdp(text);
      case 'public-key':
        return this.#originals.keep(publicKey);
      case 'hash':
        return this.#ids.hash(text);
      case 'text':
        return isFreeForm(path) ? this.#chosenText(text) : this.#replaced(text);
    }
  }

  /** Even a word like `true` may be somebody's answer. */
  #chosenText(text: string): string {
    return text !== '' && isBrief(text) ? 'a'.repeat(text.length) : this.#replaced(text);
  }

  /** A word stays, but not if it is something that was replaced elsewhere, such as a person's name. */
  #kept(text: string): string {
    if (isUnixTime(text)) return text;
    const isWord = /^(?:[a-z_]+|[A-Z_]+)$/.test(text);
    if (!isVocabulary(text) || (!isWord && this.#originals.texts.has(text))) return this.#replaced(text);
    return this.#originals.keep(text);
  }

  #sdp(text: string): string {
    const sdp = redactSdp(text);
    for (const part of sdp.split(/[\r\n=:]+/)) this.#originals.keep(part);
    return sdp;
  }

  #mediaType(type: string): string {
    return this.#originals.keep(/^[\w.+-]+\/[\w.+-]+/.exec(type)?.[0] ?? 'application/octet-stream');
  }

  /** Some texts have a form that the platform checks. */
  #replaced(text: string): string {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return '2000-01-01';
    if (isLink(text)) return this.#ids.link(text);
    if (isBrief(text)) return this.#originals.keep(text);
    if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) {
      this.#originals.add(text);
      return this.#originals.keep('someone@redacted.example');
    }
    return this.#ids.text(text);
  }

  #flowJson(value: Json, name: string): Json {
    if (Array.isArray(value)) return value.map((item) => this.#flowJson(item, name));
    if (isObject(value)) {
      // An item of a data source can have actions, whose names the checks need.
      const inGroup = (key: string) =>
        name === 'routing_model' || (flowJsonGroups.includes(name) && !key.endsWith('-action'));
      return Object.fromEntries(
        Object.entries(value).map(([key, member]) => [
          name === 'cases' && key !== 'default' ? this.#replaced(key) : this.#key(key),
          this.#flowJson(member, inGroup(key) ? name : key),
        ]),
      );
    }
    if (typeof value !== 'string') return typeof value === 'number' ? this.#number(value, [name]) : value;
    if (isExpression(value)) return value.replace(literals, (_, text) => `'${this.#replaced(text)}'`);
    return flowJsonWords.includes(name) ? this.#kept(value) : this.#replaced(value);
  }
}

/** A word or a list of words of the platform, of a program or of a business's configuration, and no number of anybody. */
const isVocabulary = (text: string) =>
  /^[\w.\-/=+,{}():]{0,300}(?:; [\w=.-]+)*$/.test(text) &&
  phoneDigits(text) === undefined &&
  !/\d{7,}/.test(text) &&
  !isLink(text);

/** An address, also one without its scheme. */
const isLink = (text: string) =>
  !/\s/.test(text) && (text.includes('://') || /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\//i.test(text));

/** Long, and of capitals, small letters and digits: an id, or base64 of anything. */
const isEncoded = (text: string) => text.length >= 16 && [/[A-Z]/, /[a-z]/, /\d/].every((kind) => kind.test(text));

/** A time of these years, in seconds or milliseconds. */
const isTime = (number: number) => isUnixTime(String(number)) || /^1[4-9]\d{11}$/.test(String(number));

const isFlowJson = (value: Readonly<Record<string, unknown>>) => Array.isArray(value.screens) && 'version' in value;

/** The path of JSON with names of its own in the text at this path. Items of a list have no name. */
function pathInside(nested: unknown, path: Path): Path {
  const inside = freeForm.includes(path.at(-1) ?? '') ? path : [...path, jsonInText];
  return Array.isArray(nested) ? [...inside, ''] : inside;
}

/** A list such as `["LEAD_GENERATION"]`, whose words the platform or a business's configuration chose. */
const isListOfWords = (text: string, path: Path) => treatmentOf(path) === 'keep' && !text.includes('{');

/** A JSON object or list in a text. */
function nestedJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? value : undefined;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Texts that tell nothing by themselves: switches and small numbers. */
const isBrief = (text: string) => /^(?:true|false|null|\d{1,2})?$/.test(text);
