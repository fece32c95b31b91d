/** Writes the table of costs into `docs/deploying.md`: `npm run costs`. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functions } from '#functions/operations.ts';
import { createApp } from '#infra/app.ts';
import { pricePages, pricesDate } from '#support/aws/aws-prices.ts';
import batchSizes from './batch-sizes.json' with { type: 'json' };
import type { BatchSizes } from './batch-sizes.ts';
import { type CostTemplate, type Dollars, deploymentCosts, type Load, total } from './deployment-costs.ts';

const busyPerSecond = 1_000;

/**
 * Lambda's pollers share what is in the queue, so a batch has fewer messages than a request. How many there are is
 * simulated: the smallest that were seen at any rate, and those of 1,000 events a second.
 */
export const loads = {
  singly: { messagesInARequest: 1, messagesInABatch: smallest(({ singly }) => singly) },
  inTens: { messagesInARequest: 10, messagesInABatch: smallest(({ inTens }) => inTens) },
  busySingly: { messagesInARequest: 1, messagesInABatch: busiest().singly },
  busyInTens: { messagesInARequest: 10, messagesInABatch: busiest().inTens },
} as const satisfies Record<string, Load>;

function smallest(sizeOf: (sizes: BatchSizes) => number): number {
  return Math.min(...batchSizes.map(sizeOf));
}

function busiest(): BatchSizes {
  const found = batchSizes.find(({ perSecond }) => perSecond === busyPerSecond);
  if (!found) throw new Error(`docs/write/batch-sizes.json lacks ${busyPerSecond} a second`);
  return found;
}

/** A million requests about a Flow with 10 KB of JSON: token, workspace and member are read with it. */
const reading = { name: 'GetFlow', seconds: 0.05, readUnits: 7, writeUnits: 0, responseBytes: 10_000 };
/** The new text and the removal of the old one are 10 units each, the claim and the result one each. */
const replacing = { name: 'UpdateFlowJson', seconds: 1, readUnits: 4, writeUnits: 22, responseBytes: 10_000 };

/** The table as it is committed, computed from the template of `prod`. */
export function costTable(template: CostTemplate): string {
  const { facts, idle, ofAMillion, ofAMonth, ofRequests } = deploymentCosts(template);
  const month = ofAMonth(busyPerSecond, loads.busySingly);
  const columns: readonly [title: string, dollars: Dollars][] = [
    ['A million, one at a time', ofAMillion(loads.singly)],
    ['A million, in tens', ofAMillion(loads.inTens)],
    ['Idle, a month', idle],
    ['1,000 a second one at a time, a month', month],
    ['1,000 a second in tens, a month', ofAMonth(busyPerSecond, loads.busyInTens)],
  ];
  const line = (...cells: string[]) => `| ${cells.join(' | ')} |`;
  const inBatchesOf = (messagesInABatch: number) => show(total(ofAMillion({ ...loads.inTens, messagesInABatch })));
  return [
    `**A million notifications that come one at a time cost ${show(total(ofAMillion(loads.singly)))} dollars.** What comes together shares requests, calls`,
    'and batches.',
    '',
    line('$', ...columns.map(([title]) => title)),
    line('---', ...columns.map(() => '---:')),
    // A busy month has all that is charged.
    ...Object.keys(month).map((row) => line(row, ...columns.map(([, dollars]) => show(dollars[row] ?? 0)))),
    line('**Together**', ...columns.map(([, dollars]) => `**${show(total(dollars))}**`)),
    '',
    'Batches, in the simulation:',
    '',
    line('Events a second', ...batchSizes.map(({ perSecond }) => perSecond.toLocaleString('en'))),
    line('---', ...batchSizes.map(() => '---:')),
    line('Messages in a batch, one at a time', ...batchSizes.map(({ singly }) => String(singly))),
    line('Messages in a batch, in tens', ...batchSizes.map(({ inTens }) => String(inTens))),
    '',
    `A million in tens cost ${inBatchesOf(10)} in full batches, ${inBatchesOf(3)} in batches of three, ${inBatchesOf(2)} in batches of two and ${inBatchesOf(1)} in`,
    `batches of one. The stack of \`prod\` has ${facts.alarms} alarms on ${facts.watched} metrics, ${facts.counted} metrics that are counted in logs and ${facts.feeds}`,
    `polled queues, and keeps logs for ${Math.round(facts.monthsOfLogs)} months. A million requests that read a Flow with 10 KB of JSON cost`,
    `${show(total(ofRequests(reading)))}, and a million that replace it ${show(total(ofRequests(replacing)))}, most of it for writes and for waiting for the platform.`,
    '',
    `Prices of ${pricesDate}, from the pages of`,
    `${Object.entries(pricePages)
      .map(([name, page]) => `[${name}](${page})`)
      .join(',\n')}.`,
  ].join('\n');
}

function show(dollars: number): string {
  return dollars.toLocaleString(
    'en',
    dollars < 100 ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { maximumFractionDigits: 0 },
  );
}

const guide = new URL('../deploying.md', import.meta.url);
const begin = '<!-- costs: written by `npm run costs` -->';
const end = '<!-- /costs -->';

/** The guide with the table between its markers. */
export function withCosts(text: string, table: string): string {
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before < 0 || after < before) throw new Error('docs/deploying.md has lost its markers');
  return `${text.slice(0, before)}${begin}\n\n${table}\n\n${text.slice(after)}`;
}

/** The template of `prod`. What the functions contain does not matter. */
function prodTemplate(): CostTemplate {
  const folder = mkdtempSync(join(tmpdir(), 'costs-'));
  try {
    for (const { name } of functions) mkdirSync(join(folder, 'functions', name), { recursive: true });
    const [stack] = createApp({
      context: { stage: 'prod' },
      functionsDirectory: join(folder, 'functions'),
      outdir: join(folder, 'assembly'),
    }).synth().stacks;
    return stack?.template;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) writeFileSync(guide, withCosts(readFileSync(guide, 'utf8'), costTable(prodTemplate())));
