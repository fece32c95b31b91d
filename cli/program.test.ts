import { CommanderError } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { parseCommand } from '#support/command-line.ts';
import { createProgram, leaves, runCommandLine } from './program.ts';

const id = '0198a000-0000-7000-8000-000000000001';

const host = {
  program: async () => {},
  onService: async () => {},
  printText: () => {},
  printError: () => {},
  confirm: async () => undefined,
};
const program = await createProgram(host);
const commands = leaves(program).map((command) => ({
  path: [command.parent, command].flatMap((each) => (each && each !== program ? [each.name()] : [])),
  command,
}));

const help = async (...words: string[]) => (await parseCommand(...words)).help ?? '';

describe('the options of every command', () => {
  it('name the service and the output format, at any position among the words', async () => {
    expect(await parseCommand('workspace', 'show', '--stage', 'prod', id, '--table', 'messages', '--json')).toEqual({
      options: { stage: 'prod', table: 'messages', json: true },
    });
    expect(await parseCommand('user', 'list', '--local')).toEqual({ options: { local: true } });
    expect(await parseCommand('user', 'list', '--stage', 'prod')).toEqual({ options: { stage: 'prod' } });
  });
});

describe('a usage error', () => {
  const name101 = 'x'.repeat(101);
  it.each([
    ['no verb', ['user'], 'outputHelp'],
    ['an option before the noun', ['--local', 'user', 'list'], "'--local'"],
    ['an unknown option', ['user', 'list', '--all'], "'--all'"],
    ['an option that swallows the next', ['user', 'create', '--name', '--local'], '--name'],
    ['an argument too many', ['workspace', 'show', id, 'more'], 'too many arguments'],
    ['an argument too many for a command with an optional one', ['doctor', id, 'more'], 'too many arguments'],
    ['an id that is not a UUID', ['workspace', 'show', '42'], "argument 'workspace'. It must be a UUID"],
    ['an option that is not a UUID', ['token', 'list', '--user', 'ana'], "'ana' is invalid. It must be a UUID"],
    ['a number by no id', ['doctor', 'abc'], "It must be a UUID, or the platform's id: 1 to 32 digits"],
    ['a number to connect by no id', ['connect', 'abc'], "It must be a UUID, or the platform's id: 1 to 32 digits"],
    ['a business account that is not a number', ['workspace', 'set-waba', id, '--waba-id', '12a'], 'digits'],
    ['an empty name', ['user', 'create', '--name', '  '], '--name <name>'],
    ['a name too long', ['user', 'create', '--name', name101], '--name <name>'],
    ['a name of several lines', ['user', 'create', '--name', 'a\nb'], '--name <name>'],
    ['an expiry that is none', ['token', 'create', '--user', id, '--expires', 'soon'], '90d'],
    ['a day that does not exist', ['token', 'create', '--user', id, '--expires', '2027-02-29'], '90d'],
    ['neither on nor off', ['number', 'calling', id, 'maybe'], 'on, off'],
    ['a mistyped token', ['token', 'revoke', `msgs_${'0'.repeat(38)}`], 'must be a token'],
    ['too little of a hash', ['token', 'revoke', 'abcdef0', '--user', id], 'first 8 digits'],
    ['a stage with capitals', ['user', 'list', '--stage', 'Prod'], 'lowercase letters'],
  ])('is explained in the message: %s', async (_, words, expected) => {
    await expect(parseCommand(...words)).rejects.toThrow(CommanderError);
    await expect(parseCommand(...words)).rejects.toThrow(expected);
  });
});

it.each([
  ['a value after a flag, which may be a secret', ['connect', id, '--pin=123456'], '123456'],
  ['a word after a flag', ['connect', id, '--pin', '123456'], '123456'],
  ['what drives the terminal', ['user', 'create', '--name', '\u001b[2J'], '\u001b'],
])('an error does not repeat %s', async (_, words, hidden) => {
  let printed = '';
  const printError = (text: string) => {
    printed += text;
  };
  await expect(runCommandLine(words, { ...host, printError })).rejects.toThrow(CommanderError);
  expect(printed).toContain('error: ');
  expect(printed).not.toContain(hidden);
});

describe('help', () => {
  it('lists every command of the program', async () => {
    for (const text of [await help(), await help('--help'), await help('-h')]) {
      for (const { path } of commands) expect(text).toContain(path.join(' '));
    }
  });

  it('for a noun lists its commands and no others', async () => {
    const text = await help('token', '--help');
    expect(text).toContain('token create');
    expect(text).toContain('token revoke <token>');
    expect(text).not.toContain('workspace create');
  });

  it('for a command shows which options are required', async () => {
    expect(await help('token', 'create', '--help')).toContain(
      'token create --user <user> [--label <text>] [--expires <when>]',
    );
  });

  it.each(commands)('for a command explains it and its parameters: $path', async ({ path, command }) => {
    const text = (await help(...path, '--help')).replace(/\s+/g, ' ');
    const parameters = [...command.registeredArguments, ...command.options];
    for (const { description } of [{ description: command.description() }, ...parameters]) {
      expect(description).not.toBe('');
      expect(text).toContain(description);
    }
  });
});
