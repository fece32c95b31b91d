import type { TargetedMouseEvent } from 'preact';
import type { Flow } from '#shared/flow-json/play/model.ts';
import type { PreviewFinding } from '#shared/previews/preview-pages.ts';
import { Code } from './code.tsx';
import { CopyButton } from './copy-button.tsx';
import type { Activity } from './flow-run.ts';
import type { Look } from './look.ts';
import type { Say } from './say.ts';

interface PanelProps {
  readonly say: Say;
  readonly flowName: string;
  readonly flow: Flow;
  readonly shown: string | undefined;
  readonly activities: readonly Activity[];
  readonly findings: readonly PreviewFinding[];
  /** Whether a screen may take files, which stay in the browser. */
  readonly takesFiles: boolean;
  readonly look: Look;
  readonly setLook: (look: Look) => void;
  readonly restart: () => void;
  /** Shows the screen that the page's address names. */
  readonly followLink: () => void;
}

/** Shows what the author of the Flow needs to know about it. */
export function Panel(props: PanelProps) {
  const { say, flowName, activities, restart } = props;
  return (
    <aside class="panel" aria-label={say('panel')}>
      <header>
        <h2 dir="auto">{flowName}</h2>
        <CopyButton text={location.href} label={say('copyLink')} done={say('copied')} />
        <button type="button" class="quiet" onClick={restart}>
          {say('restart')}
        </button>
      </header>
      <LookChoice {...props} />
      <Screens {...props} />
      <p class="caption">
        {say('unsent')} {props.takesFiles && say('files')}
      </p>
      <section>
        <h3>{say('activity')}</h3>
        {activities.length === 0 && <p>{say('noActivity')}</p>}
        <ol class="activities" reversed>
          {activities.toReversed().map((activity) => (
            <li key={activity}>
              <ActivityView activity={activity} say={say} />
            </li>
          ))}
        </ol>
      </section>
      <Findings {...props} />
    </aside>
  );
}

function LookChoice({ say, look, setLook }: PanelProps) {
  const choice = (name: keyof Look, value: string, label: string) => (
    <label class="option">
      <input
        type="radio"
        name={name}
        checked={look[name] === value}
        onChange={() => setLook({ ...look, [name]: value })}
      />
      {label}
    </label>
  );
  return (
    <fieldset class="look">
      <legend>{say('look')}</legend>
      <div class="chips">
        {choice('system', 'android', 'Android')}
        {choice('system', 'ios', 'iOS')}
        <span class="gap" />
        {choice('theme', 'light', say('light'))}
        {choice('theme', 'dark', say('dark'))}
      </div>
    </fieldset>
  );
}

function Screens({ say, flow, shown, followLink }: PanelProps) {
  // A browser reports no change if it is at that address already.
  const follow = (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    if (event.currentTarget.hash !== location.hash) return;
    event.preventDefault();
    followLink();
  };
  return (
    <section>
      <h3>{say('screens')}</h3>
      <ol class="screens">
        {[...flow.screens.values()].map(({ id, title, isTerminal }) => (
          <li>
            <a href={`#${encodeURIComponent(id)}`} aria-current={id === shown ? 'true' : undefined} onClick={follow}>
              <code>{id}</code> <span dir="auto">{title}</span>
            </a>{' '}
            {isTerminal && <em class="badge">{say('terminal')}</em>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function ActivityView({ activity, say }: { activity: Activity; say: Say }) {
  const { at, name, screen, status, durationMs, problems = [] } = activity;
  return (
    <details>
      <summary>
        <time dateTime={at.toISOString()}>{at.toLocaleTimeString()}</time> <b>{name}</b>{' '}
        {screen && <code>{screen}</code>} {status} {durationMs !== undefined && `${durationMs} ms`}
        {problems.map((problem) => (
          <span class="fault" dir="auto">
            {problem}
          </span>
        ))}
      </summary>
      {(['request', 'answer'] as const).map(
        (side) =>
          activity[side] !== undefined && (
            <>
              <h4>{say(side)}</h4>
              <Code value={activity[side]} say={say} />
            </>
          ),
      )}
    </details>
  );
}

function Findings({ say, findings }: PanelProps) {
  return (
    <section>
      <h3>
        {say('findings')} {findings.length > 0 && <em class="badge">{findings.length}</em>}
      </h3>
      {findings.length === 0 && <p>{say('noFindings')}</p>}
      <ul class="findings">
        {findings.map(({ severity, error, message, path }) => (
          <li>
            <b class={severity}>{say(severity)}</b> <code>{error}</code> {path !== undefined && <code>{path}</code>}
            <br />
            <span lang="en">{message}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
