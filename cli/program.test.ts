import { describe, expect, it } from 'vitest';
import { parseCommand, shellWords } from '#support/command-line.ts';
import { createProgram } from './program.ts';
import { UsageError } from './terminal/errors.ts';
import { leaves } from './terminal/help.ts';

const id = '0198a000-0000-7000-8000-000000000001';

const program = await createProgram({
  program: async () => {},
  onService: async () => {},
  withoutService: async () => {},
  printText: () => {},
  confirm: async () => undefined,
});
const commands = leaves(program).map((command) => ({
  path: [command.parent, command].flatMap((each) => (each && each !== program ? [each.name()] : [])),
  command,
}));

const help = async (...words: string[]) => (await parseCommand(...words)).help ?? '';

describe('the options of every command', () => {
  it('name the service and the output format, at any position among the words', async () => {
    expect(await parseCommand('workspace', 'show', '--table', 'messages', id, '--json')).toEqual({
      options: { table: 'messages', json: true },
    });
    expect(await parseCommand('user', 'list', '--local')).toEqual({ options: { local: true } });
    expect(await parseCommand('user', 'list', '--stage', 'prod')).toEqual({ options: { stage: 'prod' } });
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
    ['an unknown option of one letter', ['user', 'list', '-c', 'key=value'], "'-c'"],
    ['an option of another command', ['user', 'list', '--owner'], "'--owner'"],
    ['an option without its value', ['user', 'create', '--name'], '--name'],
    ['an option that swallows the next', ['user', 'create', '--name', '--local'], '--name'],
    ['a flag with a value', ['user', 'list', '--json=yes'], '--json'],
    ['an option twice', ['user', 'create', '--name', 'Ana', '--name', 'Bruno'], '--name is given twice'],
    ['a flag twice', ['user', 'list', '--json', '--json'], '--json is given twice'],
    ['a missing option', ['number', 'list'], "'--workspace <workspace>' not specified"],
    ['a missing argument', ['member', 'add', id], "Missing required argument 'user'"],
    ['an argument too many', ['workspace', 'show', id, 'more'], 'takes <workspace>'],
    ['an argument too many for a command with an optional one', ['doctor', id, 'more'], 'takes [number]'],
    ['an argument too many for a command without any', ['user', 'list', 'more'], 'takes none'],
    ['an id that is not a UUID', ['workspace', 'show', '42'], "argument 'workspace'. It must be a UUID"],
    ['an option that is not a UUID', ['token', 'list', '--user', 'ana'], "'ana' is invalid. It must be a UUID"],
    ['a number by no id', ['doctor', 'abc'], "It must be a UUID, or the platform's id: 1 to 32 digits"],
    ['a number to connect by no id', ['connect', 'abc'], "It must be a UUID, or the platform's id: 1 to 32 digits"],
    ['a business account that is not a number', ['workspace', 'set-waba', id, '--waba-id', '12a'], 'digits'],
    ['an empty name', ['user', 'create', '--name', '  '], '--name <name>'],
    ['a name too long', ['user', 'create', '--name', name101], '--name <name>'],
    ['a name of several lines', ['user', 'create', '--name', 'a\nb'], "'a\\u000ab'"],
    ['a name that drives the terminal', ['user', 'create', '--name', '\u001b[2J'], "'\\u001b[2J'"],
    ['an expiry that is none', ['token', 'create', '--user', id, '--expires', 'soon'], '90d'],
    ['a day that does not exist', ['token', 'create', '--user', id, '--expires', '2027-02-29'], '90d'],
    ['neither on nor off', ['number', 'calling', id, 'maybe'], 'on, off'],
    ['a mistyped token', ['token', 'revoke', `msgs_${'0'.repeat(38)}`], 'must be a token'],
    ['too little of a hash', ['token', 'revoke', 'abcdef0', '--user', id], 'first 8 digits'],
    ['no file', ['sdp', 'check', '--answer'], "Missing required argument 'file'"],
    ['an empty file name', ['sdp', 'check', ''], 'must be the name of a file'],
    ['a stage with capitals', ['user', 'list', '--stage', 'Prod'], 'lowercase letters'],
    ['an empty table name', ['user', 'list', '--table', ''], '--table <name>'],
  ])('is explained in the message: %s', async (_, words, expected) => {
    await expect(parseCommand(...words)).rejects.toThrow(UsageError);
    await expect(parseCommand(...words)).rejects.toThrow(expected);
  });
});

it.each([
  [['connect', id, '--pin', '123456'], 'A flag such as --json takes no value'],
  [['connect', '--pin', '123456', id], 'A flag such as --json takes no value'],
  [['connect', id, '--pin=123456'], '--pin takes no value'],
])('a value after a flag, which may be a secret, is not repeated: %j', async (words, expected) => {
  await expect(parseCommand(...words)).rejects.toThrow(expected);
  await expect(parseCommand(...words)).rejects.not.toThrow('123456');
});

it.each([
  [['user', 'remove'], './messaging user --help'],
  [['number', 'delete', 'x', '--local'], './messaging number delete --help'],
  [['no', 'such'], './messaging --help'],
])('a usage error shows the command for help: %j', async (words, help) => {
  await expect(parseCommand(...words)).rejects.toMatchObject({ help });
  expect(await parseCommand(...shellWords(help.replace('./messaging ', '')))).toHaveProperty('help');
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

  it.each(commands)(
    'for a command explains it and its parameters, and gives a valid example: $path',
    async ({ path, command }) => {
      const text = (await help(...path, '--help')).replace(/\s+/g, ' ');
      const parameters = [...command.registeredArguments, ...command.options];
      for (const { description } of [{ description: command.description() }, ...parameters]) {
        expect(description).not.toBe('');
        expect(text).toContain(description);
      }
      const [, example = ''] = /Example: \.\/messaging (.*)$/.exec(text.trim()) ?? [];
      expect(example.startsWith(path.join(' '))).toBe(true);
      const { options, help: printed = '' } = await parseCommand(...shellWords(example));
      expect(options !== undefined || printed.startsWith('# Completes')).toBe(true);
    },
  );

  it('is printed wherever --help is given, even if the rest is incomplete', async () => {
    expect(await help('user', 'create', '--name', '--help')).toContain('user create --name <name>');
  });
});
