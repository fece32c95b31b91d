import { Component, type ComponentChildren } from 'preact';
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

  readonly #run = async () => {
    if (this.props.disabled || this.state.isBusy) return;
    this.setState({ isBusy: true, fault: undefined });
    try {
      await this.props.act();
      this.setState({ isBusy: false });
    } catch (error) {
      this.setState({ isBusy: false, fault: messageOf(error) });
    }
  };

  override render({ children, kind, disabled = false }: ActionButtonProps, { isBusy, fault }: typeof this.state) {
    return (
      <>
        {/* The attribute "disabled" would take the focus from those who use the keyboard. */}
        <button type="button" class={kind} aria-disabled={disabled || isBusy} aria-busy={isBusy} onClick={this.#run}>
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
