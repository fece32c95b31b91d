import type { Account } from './ledger.ts';
import { grows, type Sample, trendOf } from './samples.ts';

/** The state of a Flow, either here or upstream. */
export interface FlowState {
  waId: string;
  name: string;
  status: string;
}

/** All that is known after the load has stopped and everything had time to settle. */
export interface Findings {
  account: Account;
  flowsHere: FlowState[];
  flowsUpstream: FlowState[];
  /** Number of deliveries by state. */
  states: Record<string, number>;
  openBreakers: number;
  queue: number;
  deadLetters: number;
  unexplainedErrorLines: string[];
  unexplainedFailures: string[];
  samples: Sample[];
}

/** One requirement of the soak test, and its result. */
export interface Check {
  what: string;
  found: string;
  kept: boolean;
}

const ended: ReadonlySet<string> = new Set(['delivered', 'exhausted', 'discarded']);

/** Fewer samples show no trend. */
const samplesForTrend = 9;

export function check(findings: Findings): Check[] {
  const { account, states } = findings;
  const unfinished = Object.entries(states).flatMap(([state, count]) =>
    ended.has(state) ? [] : [`${count} ${state}`],
  );
  return [
    none('Acknowledged notifications that never arrived', account.missing),
    none('Arrivals that no event explains', account.unknown),
    none('Arrivals with a wrong signature', account.badlySigned),
    none('Repeats that no kill and no replay explains', account.unexplainedRepeats),
    none('Deliveries that have not ended', unfinished),
    zero('Exhausted deliveries', states.exhausted ?? 0),
    zero('Circuit breakers that are open', findings.openBreakers),
    zero('Messages in the queue', findings.queue),
    zero('Messages in the dead-letter queue', findings.deadLetters),
    none('Differences between the Flows here and upstream', differences(findings.flowsHere, findings.flowsUpstream)),
    none('Failed API requests that no fault explains', findings.unexplainedFailures),
    none('Error lines in the log that no fault explains', findings.unexplainedErrorLines),
    ...trendChecks(findings.samples),
  ];
}

/** Lists the Flows that exist on one side only or that differ. */
export function differences(here: readonly FlowState[], upstream: readonly FlowState[]): string[] {
  const text = ({ waId, name, status }: FlowState) => `${waId} ${status} ${name}`;
  const [ours, theirs] = [new Set(here.map(text)), new Set(upstream.map(text))];
  return [
    ...[...ours].filter((flow) => !theirs.has(flow)).map((flow) => `only here: ${flow}`),
    ...[...theirs].filter((flow) => !ours.has(flow)).map((flow) => `only upstream: ${flow}`),
  ];
}

/** Name, unit, and the constant by which the last third may always exceed the middle one. */
const flat: readonly [keyof Sample, string, string, number][] = [
  ['worldMb', "Memory of the local world's process", 'MB', 60],
  ['engineMb', 'Memory of the DynamoDB engine', 'MB', 40],
  ['largestFunctionMb', 'Memory of the largest function process', 'MB', 30],
  ['functionProcesses', 'Function processes', '', 30],
  ['files', 'Files in the data folder, without table and bucket', '', 50],
  ['otherMb', 'Data folder without table and bucket', 'MB', 20],
];

function trendChecks(samples: readonly Sample[]): Check[] {
  if (samples.length < samplesForTrend) return [];
  return flat.map(([member, what, unit, constant]) => {
    const trend = trendOf(samples.map((sample) => sample[member]));
    const found = `${round(trend.middle)} → ${round(trend.last)} ${unit}`.trim();
    return { what: `${what}, middle third → last third`, found, kept: !grows(trend, constant) };
  });
}

const zero = (what: string, count: number): Check => ({ what, found: String(count), kept: count === 0 });

/** Checks that the list is empty; otherwise reports its length and its first entries. */
function none(what: string, list: readonly unknown[]): Check {
  const first = list.slice(0, 3).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  const found = list.length === 0 ? '0' : `${list.length}: ${first.join('; ')}`;
  return { what, found, kept: list.length === 0 };
}

const round = (value: number) => String(Math.round(value));
