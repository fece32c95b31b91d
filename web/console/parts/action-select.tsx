import { Component } from 'preact';
import { messageOf } from '../http.ts';

interface ActionSelectProps {
  readonly label: string;
  readonly value: string;
  /** What can be chosen, with the names that people see. */
  readonly options: Readonly<Record<string, string>>;
  /** Makes the choice. A rejection is shown below it, and the old value stays. */
  readonly act: (value: string) => Promise<unknown>;
  readonly disabled?: boolean;
}

/** A choice that takes effect at once. */
export class ActionSelect extends Component<ActionSelectProps, { fault?: string | undefined }> {
  override state: { fault?: string | undefined } = {};

  async #choose(value: string): Promise<void> {
    const fault = await this.props.act(value).then(() => undefined, messageOf);
    this.setState({ fault });
  }

  override render({ label, value, options, disabled }: ActionSelectProps, { fault }: typeof this.state) {
    return (
      <div class="choose">
        <label>
          {label}
          <select
            value={value}
            disabled={disabled}
            onChange={({ currentTarget }) => void this.#choose(currentTarget.value)}
          >
            {Object.entries(options).map(([key, name]) => (
              <option value={key}>{name}</option>
            ))}
          </select>
        </label>
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
      </div>
    );
  }
}
