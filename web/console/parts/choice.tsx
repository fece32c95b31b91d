import { Component, type ComponentChildren } from 'preact';
import { messageOf } from '../http.ts';

export interface ChoiceProps {
  readonly value: string;
  /** Makes the choice. The old value comes back if it is rejected, with the reason, or if it resolves to false. */
  readonly act: (value: string) => Promise<unknown>;
  readonly children: (shown: string, choose: (value: string) => void) => ComponentChildren;
}

interface ChoiceState {
  /** What was chosen, until the world says what holds now. */
  readonly chosen?: string | undefined;
  readonly fault?: string | undefined;
}

/** A choice that takes effect at once, drawn by `children`. */
export class Choice extends Component<ChoiceProps, ChoiceState> {
  override state: ChoiceState = {};

  override componentDidUpdate({ value }: ChoiceProps) {
    if (value !== this.props.value) this.setState({ chosen: undefined });
  }

  readonly #choose = async (chosen: string) => {
    this.setState({ chosen, fault: undefined });
    try {
      if ((await this.props.act(chosen)) === false) this.#withdraw(chosen);
    } catch (error) {
      this.#withdraw(chosen);
      this.setState({ fault: messageOf(error) });
    }
  };

  /** A later choice stays. */
  #withdraw(chosen: string): void {
    this.setState((state) => (state.chosen === chosen ? { chosen: undefined } : null));
  }

  override render({ value, children }: ChoiceProps, { chosen = value, fault }: ChoiceState) {
    return (
      <>
        {children(chosen, (next) => void this.#choose(next))}
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
      </>
    );
  }
}
