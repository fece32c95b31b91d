import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Result } from './render.ts';
import type { Service } from './service.ts';

/** The options that every command takes. */
export interface CommonOptions {
  local?: true;
  stage?: string;
  table?: string;
  json?: true;
}

/** Runs the work of a command and prints its result; tests have a host of their own. */
export interface Host {
  onService(work: (service: Service) => Promise<Result>, options: CommonOptions): Promise<void>;
  withoutService(work: () => Promise<Result>, options: CommonOptions): Promise<void>;
  printHelp(text: string): void;
}

/** A commander action: it gets the parsed arguments and options. */
type Action<Words extends unknown[]> = (this: CommandUnknownOpts, ...words: Words) => Promise<void>;

/** Turn a function that returns a result into a commander action. */
export interface Actions {
  onService<W extends unknown[]>(work: (service: Service, ...words: W) => Promise<Result>): Action<W>;
  withoutService<W extends unknown[]>(work: (...words: W) => Promise<Result>): Action<W>;
}

export function actionsOn(host: Host): Actions {
  return {
    onService: (work) =>
      function (...words) {
        return host.onService((service) => work(service, ...words), this.opts());
      },
    withoutService: (work) =>
      function (...words) {
        return host.withoutService(() => work(...words), this.opts());
      },
  };
}
