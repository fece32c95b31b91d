import { CopyButton } from '#web/preview/copy-button.tsx';
import { Menu } from '#web/preview/menu.tsx';
import type { Live } from './live.ts';
import type { Snapshot } from './snapshot.ts';

export type WorldNumber = Snapshot['world']['numbers'][number];

/** A link of the bar. What is new or wrong on its page stands beside its name. */
export interface PageLink {
  readonly path: string;
  readonly name: string;
  readonly count: number;
  /** What is counted, such as "not delivered". */
  readonly counted: string;
}

interface BarProps {
  readonly live: Live;
  readonly links: readonly PageLink[];
  readonly shown: string;
  readonly number: WorldNumber | undefined;
  readonly choose: (number: string) => void;
}

/** What all pages have in common: the world and its state, the pages, and the number that they use. */
export function Bar({ live, links, shown, number, choose }: BarProps) {
  const { trouble, isRestarting, snapshot } = live;
  const state = isRestarting ? 'restarting' : trouble !== undefined ? 'gone' : snapshot ? 'live' : 'loading';
  const since = snapshot && new Date(snapshot.started_at).toLocaleTimeString('en-GB');
  const { base_url, tokens } = snapshot?.world ?? {};
  const texts = { 'Base address': base_url, "Owner's token": tokens?.owner, 'Id of the number': number?.id };
  return (
    <header class="bar">
      <p class="row world-state" data-state={state} title={state === 'live' ? `Started ${since}` : undefined}>
        <b>Local world</b> <span role="status">{state}</span>
      </p>
      <nav aria-label="Pages">
        {links.map(({ path, name, count, counted }) => (
          <a href={`#/${path}`} aria-current={name === shown ? 'page' : undefined}>
            {name}
            {count > 0 && (
              <small class="count">
                {count}
                <span class="visually-hidden"> {counted}</span>
              </small>
            )}
          </a>
        ))}
      </nav>
      {snapshot !== undefined && number !== undefined && (
        <div class="row chosen">
          <select
            class="quiet"
            aria-label="Number that the pages use"
            value={number.id}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          >
            {snapshot.world.numbers
              .filter(({ active }) => active)
              .map(({ id, display_phone_number }) => (
                <option value={id}>{display_phone_number}</option>
              ))}
          </select>
          <Menu sign="Copy" class="quiet">
            {Object.entries(texts).map(([label, text = '']) => (
              <CopyButton key={text} text={text} label={label} done="Copied" />
            ))}
          </Menu>
        </div>
      )}
    </header>
  );
}
