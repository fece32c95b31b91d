import { describe, expect, it } from 'vitest';
import { parseCommandLine } from './command-line.ts';
import { commands } from './commands.ts';
import { UsageError } from './failures.ts';

const id = '0198a000-0000-7000-8000-000000000001';
const parse = (...words: string[]) => parseCommandLine(words, commands);

function help(...words: string[]): string {
  const invocation = parse(...words);
  return invocation.kind === 'help' ? invocation.text : '';
}

describe('what every command takes', () => {
  it('is where the service is and how to print, between or after the other words', () => {
    expect(parse('workspace', 'show', '--table', 'messages', id, '--json')).toMatchObject({
      kind: 'command',
      target: { local: false, table: 'messages' },
      json: true,
    });
    expect(parse('user', 'list', '--local')).toMatchObject({ target: { local: true, table: undefined }, json: false });
  });
});

describe('a usage error', () => {
  const name101 = 'x'.repeat(101);
  it.each([
    ['an unknown noun', ['flow', 'list'], '"flow"'],
    ['an unknown verb', ['user', 'remove'], 'create, list, rename, delete'],
    ['no verb', ['user'], 'create, list'],
    ['an option before the noun', ['--local', 'user', 'list'], 'come first'],
    ['an unknown option', ['user', 'list', '--all'], "'--all'"],
    ['an option of another command', ['user', 'list', '--owner'], "'--owner'"],
    ['an option without its value', ['user', 'create', '--name'], '--name'],
    ['an option that swallows the next', ['user', 'create', '--name', '--local'], '--name'],
    ['a flag with a value', ['user', 'list', '--json=yes'], '--json'],
    ['an option twice', ['user', 'create', '--name', 'Ana', '--name', 'Bruno'], '--name is given twice'],
    ['a flag twice', ['user', 'list', '--json', '--json'], '--json is given twice'],
    ['a missing option', ['number', 'list'], '--workspace WORKSPACE is missing'],
    ['a missing argument', ['member', 'add', id], 'USER is missing'],
    ['an argument too many', ['workspace', 'show', id, 'more'], '"more"'],
    ['an id that is no UUID', ['workspace', 'show', '42'], 'WORKSPACE must be a UUID'],
    ['an option that is no UUID', ['token', 'list', '--user', 'ana'], '--user must be a UUID'],
    ['a business account that is no number', ['workspace', 'set-waba', id, '--waba-id', '12a'], 'digits'],
    ['an empty name', ['user', 'create', '--name', '  '], '--name must be'],
    ['a name too long', ['user', 'create', '--name', name101], '--name must be'],
    ['a name of several lines', ['user', 'create', '--name', 'a\nb'], '"a\\nb"'],
    ['a name that drives the terminal', ['user', 'create', '--name', '\u001b[2J'], '--name must be'],
    ['an expiry that is none', ['token', 'create', '--user', id, '--expires', 'soon'], '90d'],
    ['a day that does not exist', ['token', 'create', '--user', id, '--expires', '2027-02-29'], '90d'],
    ['neither on nor off', ['number', 'calling', id, 'maybe'], 'on or off'],
    ['a mistyped token', ['token', 'revoke', `msgs_${'0'.repeat(38)}`], 'must be a token'],
    ['too little of a hash', ['token', 'revoke', 'abcdef0', '--user', id], 'first 8 digits'],
    ['no file', ['sdp', 'check', '--answer'], 'FILE|- is missing'],
    ['an empty file name', ['sdp', 'check', ''], 'must be a file'],
    ['an empty table name', ['user', 'list', '--table', ''], '--table must be'],
  ])('says what is wrong: %s', (_, words, expected) => {
    expect(() => parse(...words)).toThrow(UsageError);
    expect(() => parse(...words)).toThrow(expected);
  });
});

describe('help', () => {
  it('lists every command', () => {
    for (const text of [help(), help('--help'), help('-h')]) {
      for (const { noun, verb } of commands) expect(text).toContain(`${noun} ${verb}`);
    }
  });

  it('tells all about the commands of a noun and nothing of the others', () => {
    const text = help('token', '--help');
    expect(text).toContain('token create --user USER [--label TEXT] [--expires 90d|12h|2027-01-31]');
    expect(text).toContain('token revoke TOKEN|HASH [--user USER]');
    expect(text).not.toContain('workspace create');
  });

  it('is given wherever it is asked for, even where the rest is incomplete', () => {
    expect(help('user', 'create', '--name', '--help')).toContain('user create --name NAME');
  });
});
