import { Component, type ComponentChildren, createRef } from 'preact';
import { closeMenu } from '#web/preview/menu.tsx';
import { messageOf } from '../http.ts';

interface ActionButtonProps {
  /** What to do. A rejection is shown beside the button. */
  readonly act: () => Promise<unknown>;
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'quiet' | 'danger';
  readonly disabled?: boolean;
}

/** A button whose action takes time and can fail. */
export class ActionButton extends Component<ActionButtonProps, { isBusy: boolean; fault?: string | undefined }> {
  override state = { isBusy: false, fault: undefined };

  readonly #button = createRef<HTMLButtonElement>();

  /** A button that has the focus and goes, often by its own success, leaves it to what it was in. */
  override componentWillUnmount() {
    const button = this.#button.current;
    if (button === null || document.activeElement !== button) return;
    const around = parentsOf(button);
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      const next = around.find((element) => element.isConnected && element.checkVisibility());
      next?.setAttribute('tabindex', next.getAttribute('tabindex') ?? '-1');
      next?.focus({ preventScroll: true });
    });
  }

  readonly #run = async () => {
    if (this.props.disabled || this.state.isBusy) return;
    this.setState({ isBusy: true, fault: undefined });
    try {
      await this.props.act();
      if (this.#button.current) closeMenu(this.#button.current);
      this.setState({ isBusy: false });
    } catch (error) {
      this.setState({ isBusy: false, fault: messageOf(error) });
    }
  };

  override render({ children, kind, disabled = false }: ActionButtonProps, { isBusy, fault }: typeof this.state) {
    return (
      <>
        {/* The attribute "disabled" would take the focus from those who use the keyboard. */}
        <button
          ref={this.#button}
          type="button"
          class={kind}
          aria-disabled={disabled || isBusy}
          aria-busy={isBusy}
          onClick={this.#run}
        >
          {children}
        </button>
        {fault !== undefined && (
          <span class="fault" role="alert">
            {fault}
          </span>
        )}
      </>
    );
  }
}

/** The sections around an element, from the inside, and the page. */
function parentsOf(element: HTMLElement): HTMLElement[] {
  const parent = element.parentElement?.closest<HTMLElement>('section, main');
  return parent ? [parent, ...parentsOf(parent)] : [];
}
