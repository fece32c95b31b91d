import { own } from '../../shared/flow-json/json.ts';
import { Field, Group, inputAria } from './field.tsx';
import { asText, type ComponentProps, idOf, isDisabled, isTrue, nameOf, textOf } from './ui.ts';

export function DatePicker({ component, ui }: ComponentProps) {
  return (
    <Field component={component} ui={ui}>
      <DateInput
        {...{ component, ui }}
        id={idOf(component)}
        value={ui.value(nameOf(component))}
        onChange={(date) => ui.setValue(component, date)}
      />
    </Field>
  );
}

/** One date, or a period as `{start-date, end-date}`. */
export function CalendarPicker({ component, ui }: ComponentProps) {
  const { 'helper-text': helpers, ...properties } = component.properties;
  if (own(properties, 'mode') !== 'range') return <DatePicker component={component} ui={ui} />;
  const value = ui.value(nameOf(component));
  const ends = ['start-date', 'end-date'] as const;
  const labels = own(properties, 'label');
  const title = textOf(component, 'title');
  const change = (end: string, date: string) => {
    const period = Object.fromEntries(ends.map((name) => [name, name === end ? date : asText(own(value, name))]));
    ui.setValue(component, period);
  };
  return (
    <Group component={{ ...component, properties: { ...properties, label: title } }} ui={ui}>
      <div class="period">
        {ends.map((end, index) => (
          <div>
            <label for={idOf(component, end)} dir="auto">
              {asText(own(labels, end)) || ui.say(index === 0 ? 'from' : 'to')}
            </label>
            <DateInput
              {...{ component, ui }}
              id={idOf(component, end)}
              value={own(value, end)}
              onChange={(date) => change(end, date)}
            />
            <small dir="auto">{asText(own(helpers, end))}</small>
          </div>
        ))}
      </div>
    </Group>
  );
}

interface DateInputProps extends ComponentProps {
  readonly id: string;
  readonly value: unknown;
  readonly onChange: (date: string) => void;
}

function DateInput({ component, ui, id, value, onChange }: DateInputProps) {
  return (
    <input
      id={id}
      type="date"
      value={isoDate(value)}
      min={isoDate(own(component.properties, 'min-date'))}
      max={isoDate(own(component.properties, 'max-date'))}
      required={isTrue(component, 'required')}
      disabled={isDisabled(component)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...inputAria(component, ui)}
    />
  );
}

/** Until version 4.0 dates were milliseconds since the epoch, as text. */
function isoDate(value: unknown): string {
  const text = asText(value);
  if (!/^-?\d+$/.test(text)) return text;
  const date = new Date(Number(text));
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}
