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
  return (
    <header class="bar">
      <WorldState live={live} />
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
      {live.snapshot !== undefined && number !== undefined && (
        <div class="row chosen">
          <select
            class="quiet"
            aria-label="Number that the pages use"
            value={number.id}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          >
            {live.snapshot.world.numbers
              .filter(({ active }) => active)
              .map(({ id, display_phone_number }) => (
                <option value={id}>{display_phone_number}</option>
              ))}
          </select>
          <CopyMenu world={live.snapshot.world} number={number} />
        </div>
      )}
    </header>
  );
}

function WorldState({ live: { trouble, isRestarting, snapshot } }: { live: Live }) {
  const state = isRestarting ? 'restarting' : trouble !== undefined ? 'gone' : snapshot ? 'live' : 'loading';
  const since = snapshot && new Date(snapshot.started_at).toLocaleTimeString('en-GB');
  return (
    <p class="row world-state" data-state={state} title={state === 'live' ? `Started ${since}` : undefined}>
      <b>Local world</b> <span role="status">{state}</span>
    </p>
  );
}

function CopyMenu({ world: { base_url, tokens }, number }: { world: Snapshot['world']; number: WorldNumber }) {
  const texts = { 'Base address': base_url, "Owner's token": tokens.owner, 'Id of the number': number.id };
  return (
    <Menu sign="Copy" class="quiet">
      {Object.entries(texts).map(([label, text]) => (
        <CopyButton key={text} text={text} label={label} done="Copied" />
      ))}
    </Menu>
  );
}
