import type { Command, CommandUnknownOpts, OptionValues } from '@commander-js/extra-typings';
import type { Service } from './service.ts';
import { CannotCheck, Interrupted, UsageError } from './terminal/errors.ts';
import { type CommonOptions, hintsFor, withRepair } from './terminal/hints.ts';
import type { Result } from './terminal/render.ts';

/** Runs the work of a command and prints its result; tests have a host of their own. */
export interface Host {
  onService(work: (service: Service) => Promise<Result>, options: CommonOptions): Promise<void>;
  /** Runs a program that prints for itself and returns its exit code, or runs until it is stopped. */
  program(work: () => Promise<unknown>, options: object): Promise<void>;
  /** Prints help, and other texts as they are. */
  printText(text: string): void;
  /** Prints what is wrong with the command line. */
  printError(text: string): void;
  /** Asks the person at the terminal whether to continue; `undefined` if there is none. */
  confirm(question: string): Promise<boolean | undefined>;
}

/** The removal that a command is about to make. */
export interface Removal {
  /** One sentence. Without it, the command removes nothing this time, and does not ask. */
  warning?: string | undefined;
  /** A further effect of the command, in one sentence. */
  effect?: string | undefined;
  /** The things that are lost, by kind: their number or their names. */
  removes: Readonly<Record<string, string | number>>;
  carryOut(): Promise<Result>;
}

/** A commander action: it gets the parsed arguments and options. */
type Action<Words extends unknown[]> = (this: CommandUnknownOpts, ...words: Words) => Promise<void>;

/** The ways to turn a function into a commander action. */
export interface Actions extends Pick<Host, 'printText'> {
  onService<W extends unknown[]>(work: (service: Service, ...words: W) => Promise<Result>): Action<W>;
  /** The same for a command whose exit code 1 means that something is wrong with the service, and 2 that it failed. */
  checking: Actions['onService'];
  /** For a command that is a program of its own. */
  program<W extends unknown[]>(work: (...words: W) => Promise<unknown>): Action<W>;
  /**
   * Makes a command one that removes something: it shows what, and asks. `prepare` rejects what cannot be done, changes
   * nothing, and returns what would be removed and how.
   */
  removing<A extends unknown[], O extends OptionValues>(
    command: Command<A, O>,
    prepare: (service: Service, ...words: [...A, O, Command<A, O>]) => Promise<Removal>,
  ): void;
}

export function actionsOn(host: Host): Actions {
  /** Gives the service the hints that name it as the user did. Every command may need credentials. */
  function onService(work: (service: Service) => Promise<Result>, options: CommonOptions): Promise<void> {
    const hint = hintsFor(options);
    const fail = (error: unknown): never => {
      throw withRepair(error, hint);
    };
    return host.onService((service) => work({ ...service, hint }).catch(fail), options);
  }

  return {
    printText: host.printText,

    onService: (work) =>
      function (...words) {
        return onService((service) => work(service, ...words), this.opts());
      },

    checking: (work) =>
      async function (...words) {
        try {
          await onService((service) => work(service, ...words), this.opts());
        } catch (error) {
          throw error instanceof UsageError || error instanceof Interrupted ? error : new CannotCheck(error);
        }
      },

    program: (work) =>
      function (...words) {
        return host.program(() => work(...words), this.opts());
      },

    removing(command, prepare) {
      command.option('--yes', 'do not ask').option('--dry-run', 'only show what would be removed');
      command.action((...words) => {
        const options: CommonOptions & Approval = command.opts();
        return onService(async (service) => carryOut(await prepare(service, ...words), options, host.confirm), options);
      });
    },
  };
}

interface Approval {
  yes?: true;
  dryRun?: true;
}

/** Shows what would be removed, or removes it: at once with `--yes`, else when the person at the terminal agrees. */
async function carryOut(
  { warning, effect, removes, carryOut: remove }: Removal,
  { yes, dryRun }: Approval,
  confirm: Host['confirm'],
): Promise<Result> {
  if (dryRun) {
    return { value: removes, note: [effect, warning ?? 'This removes nothing.', unchanged].filter(Boolean).join(' ') };
  }
  if (yes || warning === undefined) return remove();
  const amounts = Object.entries(removes).map(([kind, amount]) => `${kind.replaceAll('_', ' ')}: ${amount}`);
  const isApproved = await confirm([warning, ...amounts].join('\n'));
  if (isApproved) return remove();
  if (isApproved === false) return { value: removes, note: unchanged, hasFindings: true };
  throw new UsageError(
    `${warning} ${amounts.join(', ')}. ${unchanged} There is no terminal to ask at: to remove it without a question, add --yes.`,
  );
}

const unchanged = 'Nothing was changed.';
