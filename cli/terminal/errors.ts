import { CommanderError } from '@commander-js/extra-typings';

/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command line is right, but the command cannot be carried out in the present state. */
export class Rejection extends Error {
  override readonly name = 'Rejection';
}

/** A command whose exit code 1 means that something is wrong with the service could not find out. */
export class CannotCheck extends Error {
  override readonly name = 'CannotCheck';

  constructor(cause: unknown) {
    super('The check could not run', { cause });
  }
}

/** A person ended the command with Ctrl-C at a question. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor() {
    super('Interrupted.');
  }
}

/** The exit code of a command that failed. */
export function exitCodeOf(error: unknown): number {
  // As a shell has it for a program that SIGINT ended.
  if (error instanceof Interrupted) return 130;
  return [UsageError, CommanderError, CannotCheck].some((kind) => error instanceof kind) ? 2 : 1;
}
