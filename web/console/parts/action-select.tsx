import { Choice, type ChoiceProps } from './choice.tsx';

interface ActionSelectProps {
  readonly label: string;
  readonly value: string;
  /** What can be chosen, with the names that people see. */
  readonly options: Readonly<Record<string, string>>;
  readonly act: ChoiceProps['act'];
  readonly disabled?: boolean;
}

/** A list to choose from, whose choice takes effect at once. */
export function ActionSelect({ label, value, options, act, disabled }: ActionSelectProps) {
  return (
    <div class="choose">
      <Choice value={value} act={act}>
        {(shown, choose) => (
          <label>
            {label}
            <select value={shown} disabled={disabled} onChange={({ currentTarget }) => choose(currentTarget.value)}>
              {Object.entries(options).map(([key, name]) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </Choice>
    </div>
  );
}
