import { visible } from '#shared/base/text.ts';
import { lineOf, type Names, namesIn, shownTopics, textOf } from '../console/line.ts';
import type { ConsoleChange } from '../console/stream.ts';
import { stopSignal } from '../stop-signal.ts';
import { readWorldFile } from '../world-description-file.ts';
import { follow } from './follow.ts';

/** Whoever has a token sends as the Flow that it was made for. */
const flowTokens = /msgf_[\dA-Za-z]{38}/g;

const keptTexts = 2_000;

interface TailOptions {
  live?: boolean;
  json?: boolean;
  /** The command that starts the world. */
  start: string;
}

/** Shows requests, events and deliveries of the running world as they happen, until Ctrl-C. */
export async function tail({ live = false, json = false, start }: TailOptions): Promise<void> {
  const find = () => readWorldFile({ live });
  const signal = stopSignal();
  const isColoured = process.stdout.isTTY === true && !process.env.NO_COLOR;

  let names: Names = new Map();
  /** The latest text of each record: a record changes more often than its text. */
  const texts = new Map<string, string>();

  function textFor(change: ConsoleChange): string | undefined {
    if (json) return visible(JSON.stringify(change)).replaceAll(flowTokens, 'msgf_…');
    const line = lineOf(change, names);
    return line && textOf(line, isColoured);
  }

  /** Whether the text is another one than before. */
  function isNew({ topic, key }: ConsoleChange, text: string): boolean {
    const name = `${topic} ${key}`;
    if (texts.get(name) === text) return false;
    texts.set(name, text);
    const [oldest] = texts.size > keptTexts ? texts.keys() : [];
    if (oldest !== undefined) texts.delete(oldest);
    return true;
  }

  function show(change: ConsoleChange): void {
    // A change without a value is a removal.
    if (!shownTopics.includes(change.topic) || change.value === undefined) return;
    const text = textFor(change);
    if (text !== undefined && isNew(change, text)) console.log(text);
  }

  const url = find()?.console_url;
  if (url === undefined || !(await isRunning(url))) {
    console.error(`No world is running. Start it first: ${start}`);
    process.exit(1);
  }

  let wasOpen = false;
  await follow({
    consoleUrl: () => find()?.console_url,
    onChange: show,
    onState(state) {
      names = namesIn(state.world);
      // The console tells of them again.
      for (const value of state.deliveries) {
        const change = { topic: 'deliveries', key: value.id, value };
        const text = textFor(change);
        if (text !== undefined) isNew(change, text);
      }
    },
    onConnection(isOpen) {
      if (isOpen) console.error(wasOpen ? 'the world is back' : `following ${url}; Ctrl-C ends it`);
      else console.error('the world has ended; waiting for the next one');
      wasOpen = true;
    },
    signal,
  });
}

async function isRunning(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/console/state`)).ok;
  } catch {
    return false;
  }
}
