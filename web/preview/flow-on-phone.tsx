import { Component, createRef, type TargetedMouseEvent } from 'preact';
import type { Flow } from '#shared/flow-json/play/model.ts';
import { resolve } from '#shared/flow-json/play/resolve-values.ts';
import { currentComponents, currentScreen, type FlowState, lookupIn } from '#shared/flow-json/play/state.ts';
import { Boundary } from './boundary.ts';
import { Code } from './code.tsx';
import { closeMenu, Menu } from './menu.tsx';
import { asText, type Ui } from './ui.ts';
import { ComponentView } from './views.tsx';

interface PhoneProps {
  readonly flow: Flow;
  readonly state: FlowState;
  readonly ui: Ui;
  readonly back: () => void;
  readonly close: () => void;
  readonly restart: () => void;
  /** The line below the Flow, instead of that of a preview. */
  readonly managed?: string | undefined;
}

/** Shows what a contact who received the Flow would see. */
export class Phone extends Component<PhoneProps> {
  readonly #title = createRef<HTMLHeadingElement>();

  /** The focus goes to the title of each new screen, as if a page had been loaded. */
  override componentDidUpdate(before: PhoneProps) {
    const title = this.#title.current;
    if (shownIn(before.state) === shownIn(this.props.state) || title === null) return;
    if (title.textContent) document.title = title.textContent;
    title.focus();
  }

  override render({ flow, state, ui, back, close, restart, managed }: PhoneProps) {
    const screen = currentScreen(flow, state);
    const isWaiting = state.status === 'waiting';
    const isCompleted = state.status === 'completed';
    const title = isCompleted ? ui.say('completed') : asText(screen && resolve(screen.title, lookupIn(state)));
    const sensitive = state.stack.flatMap((id) => flow.screens.get(id)?.sensitive ?? []);
    const trouble =
      state.missingScreen === undefined ? state.errorMessage : ui.say('missingScreen', { screen: state.missingScreen });
    return (
      <main class="phone" aria-label="Flow" dir={directionOf(title)}>
        <header>
          {state.stack.length > 1 && !isCompleted ? (
            <button type="button" class="icon" aria-label={ui.say('back')} onClick={back}>
              ‹
            </button>
          ) : (
            <button type="button" class="icon" aria-label={ui.say('close')} onClick={close}>
              ✕
            </button>
          )}
          <h1 ref={this.#title} tabIndex={-1} dir="auto">
            {title || screen?.id || '…'}
          </h1>
          <Menu label={ui.say('menu')} sign="⋮">
            <button type="button" onClick={chosen(restart)}>
              {ui.say('restart')}
            </button>
            <button type="button" onClick={chosen(close)}>
              {ui.say('close')}
            </button>
          </Menu>
        </header>
        {isCompleted ? (
          <div class="screen">
            <p>{ui.say('completedText')}</p>
            <Code value={state.response} say={ui.say} />
            {sensitive.length > 0 && <p>{ui.say('sensitive', { names: sensitive.join(', ') })}</p>}
          </div>
        ) : (
          <div class="screen" key={screen?.id} aria-busy={isWaiting}>
            <Boundary instead={<div class="box">{ui.say('failed', { type: screen?.id ?? '' })}</div>}>
              <Components flow={flow} state={state} ui={ui} />
            </Boundary>
          </div>
        )}
        <div role="status">{isWaiting && <span class="waiting">{ui.say('waiting')}</span>}</div>
        {trouble !== undefined && (
          <div class="snackbar" role="alert" dir="auto">
            {trouble}
          </div>
        )}
        <p class="managed" dir="auto">
          {managed ?? ui.say('managed')} <u>{ui.say('learnMore')}</u>
        </p>
      </main>
    );
  }
}

/** The components of the current screen, or a note that there are none. */
function Components({ flow, state, ui }: Pick<PhoneProps, 'flow' | 'state' | 'ui'>) {
  const components = currentComponents(flow, state);
  if (components.length === 0 && state.status === 'open') return <div class="box">{ui.say('nothing')}</div>;
  return components.map((component) => <ComponentView key={component.key} component={component} ui={ui} />);
}

const shownIn = ({ status, stack }: FlowState): string => `${status === 'completed'} ${stack.join(' ')}`;

/** The layout of a screen follows the writing direction of its title. */
const directionOf = (title: string): 'rtl' | 'ltr' => (/[\u0590-\u08ff]/.test(title) ? 'rtl' : 'ltr');

/** A choice from the menu closes it. */
const chosen =
  (act: () => void) =>
  ({ currentTarget }: TargetedMouseEvent<HTMLButtonElement>) => {
    closeMenu(currentTarget);
    act();
  };
