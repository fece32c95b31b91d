import type { WorldState } from '../console/console-state.ts';
import type { ConsoleChange } from '../console/stream.ts';

interface TailOptions {
  /** Where the console is now; `undefined` while no world runs. A world that starts again may have another address. */
  readonly consoleUrl: () => string | undefined;
  readonly onChange: (change: ConsoleChange) => void;
  readonly onState: (state: WorldState) => void;
  /** Hears once when the world ends, and once when it is back. */
  readonly onConnection: (isOpen: boolean) => void;
  readonly signal: AbortSignal;
  readonly retryMs?: number;
}

const defaultRetryMs = 500;

/** Follows the changes of a world, also of the one that starts in its place, until the signal aborts. */
export async function follow({ signal, retryMs = defaultRetryMs, ...options }: TailOptions): Promise<void> {
  const { onConnection } = options;
  let wasOpen = false;
  while (!signal.aborted) {
    try {
      await followOnce({ ...options, signal }, () => {
        wasOpen = true;
        onConnection(true);
      });
    } catch {
      // The world ends, or has not started yet.
    }
    if (wasOpen && !signal.aborted) onConnection(false);
    wasOpen = false;
    await pause(retryMs, signal);
  }
}

async function followOnce(options: Omit<TailOptions, 'onConnection' | 'retryMs'>, onOpen: () => void): Promise<void> {
  const { consoleUrl, onChange, onState, signal } = options;
  const url = consoleUrl();
  if (url === undefined) return;
  const response = await fetch(`${url}/stream`, { signal });
  if (!response.ok || response.body === null) return;
  // From here on, no change is lost.
  onState((await (await fetch(`${url}/console/state`, { signal })).json()) as WorldState);
  onOpen();
  for await (const data of eventData(response.body)) onChange(JSON.parse(data));
}

/** The data of server-sent events that have one line each, as the console sends them. */
export async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const end = () => {
    clearTimeout(timer);
    resolve();
  };
  signal.addEventListener('abort', end, { once: true });
  return promise.finally(() => signal.removeEventListener('abort', end));
}
