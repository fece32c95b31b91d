import type { Fault, FaultPlan } from './faults.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';
import type { Trace } from './trace.ts';

/** A function's execution environment. When it is killed, its code never continues. */
export interface Process {
  readonly name: string;
  readonly isAlive: boolean;
  /** Its clock, which may be off. */
  now: () => number;
  kill: (why: string) => void;
  /** Called when it is killed. */
  onEnd: (listener: () => void) => void;
}

/** How long the client waits for a response before it repeats a call, and how often it calls in all. */
const sdkTimeoutMs = 2_000;
const sdkTries = 3;

/** The error of a call that keeps failing. */
class CallFailed extends Error {
  override readonly name: string = 'CallFailed';
}

class Throttled extends CallFailed {
  override readonly name = 'ThrottlingException';
}

export interface CallOptions<T> {
  action: string;
  detail?: unknown;
  /** Executes the call and returns its response, or throws its error. */
  effect: () => T;
}

/** How the product's code calls its surroundings. */
export interface Caller {
  call: <T>(process: Process, options: CallOptions<T>) => Promise<T>;
}

export interface Calls extends Caller {
  newProcess: (name: string, skewMs?: number) => Process;
  /** Decides what happens to the next call. The caller executes it. */
  nextFault: (process: Process, action: string, detail?: unknown) => Fault | undefined;
  /** Changes what happens to the calls from now on. */
  setFaults: (plan: FaultPlan) => void;
  /** How many calls there have been. */
  count: () => number;
}

interface CallsContext {
  scheduler: Scheduler;
  trace: Trace;
  random: Random;
  faults: FaultPlan;
}

/**
 * Processes, and calls out of them: each call takes time on the virtual clock, and gets the fault that the plan assigns
 * to it.
 */
export function simulatedCalls({ scheduler, trace, random, faults }: CallsContext): Calls {
  let plan = faults;
  let count = 0;

  function newProcess(name: string, skewMs = 0): Process {
    let isAlive = true;
    const listeners: (() => void)[] = [];
    return {
      name,
      get isAlive() {
        return isAlive;
      },
      now: () => scheduler.now + skewMs,
      kill(why) {
        if (!isAlive) return;
        isAlive = false;
        trace.add(scheduler.now, name, 'is killed', why);
        for (const listener of listeners) listener();
      },
      onEnd: (listener) => void listeners.push(listener),
    };
  }

  function nextFault(process: Process, action: string, detail?: unknown): Fault | undefined {
    count++;
    const fault = plan({ process: process.name, action });
    if (fault) trace.add(scheduler.now, process.name, `${action}: ${fault}`, detail);
    return fault;
  }

  function call<T>(process: Process, { action, detail, effect }: CallOptions<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // The code of a killed process does not continue: it waits for ever.
      if (!process.isAlive) return;
      const fault = nextFault(process, action, detail);
      const there = random.between(1, 10);
      const back = random.between(1, 10);

      const carryOut = () => {
        try {
          const value = effect();
          trace.add(scheduler.now, process.name, action, detail);
          return () => resolve(value);
        } catch (error) {
          trace.add(scheduler.now, process.name, `${action}, which throws ${error}`, detail);
          return () => reject(error);
        }
      };
      const respond = (complete: () => void, ms: number): void => {
        scheduler.after(ms, () => {
          if (process.isAlive) complete();
        });
      };
      const fail = (ms: number) => respond(() => reject(new CallFailed(`${action} failed: ${fault}`)), ms);
      const carryOutAfter = (ms: number): void => {
        scheduler.after(ms, () => respond(carryOut(), back));
      };

      if (!fault) return carryOutAfter(there);
      befallen[fault]({
        slow: () => carryOutAfter(random.between(500, sdkTimeoutMs - 100)),
        repeat: () => carryOutAfter(sdkTimeoutMs + there),
        fail: () => fail(random.chance(0.5) ? there + back : sdkTries * sdkTimeoutMs),
        throttle: () => respond(() => reject(new Throttled(`${action} is throttled`)), 300),
        failLate: () => fail(sdkTries * sdkTimeoutMs),
        onlyCarryOut: (ms) => scheduler.after(ms ?? there, carryOut),
        die: (ms) => scheduler.after(ms ?? 0, () => process.kill(action)),
        there,
      });
    });
  }

  return {
    newProcess,
    call,
    nextFault,
    setFaults: (next) => {
      plan = next;
    },
    count: () => count,
  };
}

interface Moves {
  slow: () => void;
  repeat: () => void;
  fail: () => void;
  throttle: () => void;
  failLate: () => void;
  onlyCarryOut: (ms?: number) => void;
  die: (ms?: number) => void;
  there: number;
}

const befallen: Record<Fault, (moves: Moves) => void> = {
  slow: ({ slow }) => slow(),
  repeated: ({ repeat }) => repeat(),
  doubled: ({ onlyCarryOut, repeat }) => {
    onlyCarryOut();
    repeat();
  },
  'fails-before': ({ fail }) => fail(),
  'fails-after': ({ onlyCarryOut, fail }) => {
    onlyCarryOut();
    fail();
  },
  'fails-late': ({ onlyCarryOut, failLate }) => {
    onlyCarryOut(sdkTries * sdkTimeoutMs + 2_000);
    failLate();
  },
  throttled: ({ throttle }) => throttle(),
  'dies-before': ({ die }) => die(),
  'dies-after': ({ onlyCarryOut, die, there }) => {
    onlyCarryOut();
    die(there + 1);
  },
};
