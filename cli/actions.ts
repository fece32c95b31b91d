import type { Command, CommandUnknownOpts, OptionValues } from '@commander-js/extra-typings';
import type { Service } from './service.ts';
import { hintsFor, pasteable, servicePrefix } from './terminal/hints.ts';
import { carryOut, type Removal } from './terminal/removal.ts';
import type { Result } from './terminal/render.ts';
import { withRepair } from './terminal/repair.ts';

/** The options that every command takes. */
export interface CommonOptions {
  local?: true;
  live?: true;
  stage?: string;
  table?: string;
  json?: true;
}

/** Runs the work of a command and prints its result; tests have a host of their own. */
export interface Host {
  onService(work: (service: Service) => Promise<Result>, options: CommonOptions): Promise<void>;
  withoutService(work: () => Promise<Result>, options: CommonOptions): Promise<void>;
  /** Runs a program that prints for itself and returns its exit code, or runs until it is stopped. */
  program(work: () => Promise<unknown>, options: object): Promise<void>;
  /** Prints help, and other texts as they are. */
  printText(text: string): void;
  /** Asks the person at the terminal whether to continue; `undefined` if there is none. */
  confirm(question: string): Promise<boolean | undefined>;
}

/** A commander action: it gets the parsed arguments and options. */
type Action<Words extends unknown[]> = (this: CommandUnknownOpts, ...words: Words) => Promise<void>;

/** Turn a function that returns a result into a commander action. */
export interface Actions {
  onService<W extends unknown[]>(work: (service: Service, ...words: W) => Promise<Result>): Action<W>;
  withoutService<W extends unknown[]>(work: (...words: W) => Promise<Result>): Action<W>;
  /** For a command that is a program of its own. */
  program<W extends unknown[]>(work: (...words: W) => Promise<unknown>): Action<W>;
  /** For a command whose result is a text for programs. */
  printing(work: () => Promise<string>): Action<[]>;
  /**
   * Makes a command one that removes something: it shows what, and asks. `prepare` rejects what cannot be done, changes
   * nothing, and returns what would be removed and how.
   */
  removing<A extends unknown[], O extends OptionValues>(
    command: Command<A, O>,
    prepare: (service: Service, ...words: [...A, O, Command<A, O>]) => Promise<Removal>,
  ): void;
}

/** @param commandLine the words that are being run, to show the same command with other options */
export function actionsOn(host: Host, commandLine: readonly string[]): Actions {
  /** Gives the service the hints that name it as the user did. Every command may need credentials. */
  function onService(work: (service: Service) => Promise<Result>, options: CommonOptions): Promise<void> {
    const hint = hintsFor(options);
    const fail = (error: unknown): never => {
      throw withRepair(error, hint);
    };
    return host.onService((service) => work({ ...service, hint }).catch(fail), options);
  }

  return {
    onService: (work) =>
      function (...words) {
        return onService((service) => work(service, ...words), this.opts());
      },

    withoutService: (work) =>
      function (...words) {
        return host.withoutService(() => work(...words), this.opts());
      },

    program: (work) =>
      function (...words) {
        return host.program(() => work(...words), this.opts());
      },

    printing: (work) => async () => host.printText(await work()),

    removing(command, prepare) {
      command.option('--yes', 'do not ask').option('--dry-run', 'only show what would be removed');
      command.action((...words) => {
        const options: CommonOptions & { yes?: true; dryRun?: true } = command.opts();
        const approval = {
          ...{ yes: options.yes === true, dryRun: options.dryRun === true, confirm: host.confirm },
          command: servicePrefix(options) + pasteable([...commandLine.filter((word) => word !== '--dry-run'), '--yes']),
        };
        return onService(async (service) => carryOut(await prepare(service, ...words), approval), options);
      });
    },
  };
}
