import { Command } from '@commander-js/extra-typings';
import type { Host } from '#cli/command-actions.ts';
import { runCommandLine } from '#cli/program.ts';
import type { Service } from '#cli/service.ts';
import type { CommonOptions } from '#cli/terminal/hints.ts';
import type { Result } from '#cli/terminal/render.ts';
import { addSettingOptions, typedSettings } from '#infra/settings.ts';

/** Runs a command on `service`, agrees to what it asks, and returns its result. */
export const runCommand = (service: Service, ...words: string[]): Promise<Result> =>
  runCommandAs(async () => true, service, ...words);

/** Runs a command on `service` for a person, or a script, who replies in this way, and returns its result. */
export async function runCommandAs(confirm: Host['confirm'], service: Service, ...words: string[]): Promise<Result> {
  const results: Result[] = [];
  await runCommandLine(words, {
    async onService(work) {
      results.push(await work(service));
    },
    program: async () => {},
    printText: () => {},
    printError: () => {},
    confirm,
  });
  const [result] = results;
  if (result === undefined) throw new Error('The command line ran no command');
  return result;
}

/** Parses a command line without running its command. */
export interface Request {
  /** The common options of the command that would run, if any. */
  options?: CommonOptions;
  /** The help that was printed, if any. */
  help?: string;
}

export async function parseCommand(...words: string[]): Promise<Request> {
  const request: Request = {};
  await runCommandLine(words, {
    async onService(_, options) {
      request.options = options;
    },
    async program(_, options) {
      request.options = options;
    },
    printText(text) {
      request.help = (request.help ?? '') + text;
    },
    printError: () => {},
    confirm: async () => undefined,
  });
  return request;
}

/** The settings and the approval that a command line of a deployment has. */
export function deploymentOptions(words: readonly string[]) {
  const command = new Command()
    .option('--dry-run')
    .option('--yes')
    .exitOverride()
    .configureOutput({ writeErr() {} });
  const options = addSettingOptions(command).parse(words, { from: 'user' }).opts();
  return { typed: typedSettings(options), approval: options };
}

/** The words of a command line, as a shell reads them. */
export function shellWords(text: string): string[] {
  const words = text.match(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped),
  );
}
