/** Runs something after some milliseconds, unless the returned function is called before. */
export type After = (ms: number, run: () => void) => () => void;

export const afterTimeout: After = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
