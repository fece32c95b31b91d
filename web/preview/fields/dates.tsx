import { Component } from 'preact';
import { own } from '#shared/base/json.ts';
import { isDay } from '#shared/flow-json/document/values.ts';
import { checkInput } from '#shared/flow-json/play/check-input.ts';
import type { VisibleComponent } from '#shared/flow-json/play/resolve-values.ts';
import { type ComponentProps, idOf, isDisabled, nameOf, textIn, textOf } from '../ui.ts';
import { Calendar } from './calendar.tsx';
import { today } from './days.ts';
import { Field, Group, inputAria, isOptional } from './field.tsx';

/** One day, or the first and the last day of a period, as `YYYY-MM-DD` or empty. */
type Days = readonly string[];

const ends = ['start-date', 'end-date'] as const;

export function DatePicker({ component, ui }: ComponentProps) {
  const days = [dayIn(ui.value(nameOf(component)))];
  return (
    <Field component={component} ui={ui}>
      <DayFields {...{ component, ui, days }} ids={[idOf(component)]} labels={[textOf(component, 'label')]} />
    </Field>
  );
}

/** One date, or a period as `{start-date, end-date}`. */
export function CalendarPicker({ component, ui }: ComponentProps) {
  const { 'helper-text': helpers, ...properties } = component.properties;
  if (!isPeriod(component)) return <DatePicker component={component} ui={ui} />;
  const value = ui.value(nameOf(component));
  const days = ends.map((end) => dayIn(own(value, end)));
  const labels = ends.map((end, at) => textIn(properties.label, end) || ui.say(at === 0 ? 'from' : 'to'));
  return (
    <Group component={{ ...component, properties: { ...properties, label: textOf(component, 'title') } }} ui={ui}>
      <DayFields
        {...{ component, ui, days, labels }}
        ids={ends.map((end) => idOf(component, end))}
        helpers={ends.map((end) => textIn(helpers, end))}
      />
    </Group>
  );
}

interface DayFieldsProps extends ComponentProps {
  readonly days: Days;
  readonly ids: readonly string[];
  /** The labels of the days to choose, in order. */
  readonly labels: readonly string[];
  /** For a period, whose fields have labels and helper texts of their own. */
  readonly helpers?: readonly string[];
}

/** A field for each day. A tap opens the calendar, in which both ends of a period are chosen; others may type. */
class DayFields extends Component<DayFieldsProps, { chosen?: Days | undefined }> {
  override render({ component, ui, days, ids, labels, helpers }: DayFieldsProps, { chosen }: { chosen?: Days }) {
    return (
      <div class="dates">
        {days.map((day, at) => (
          <div class={helpers ? 'floating date' : 'date'}>
            {helpers && (
              <label for={ids[at]} dir="auto">
                {labels[at]}
              </label>
            )}
            <DayInput {...{ component, ui, days, at, day }} id={ids[at]} open={this.#open} />
            {at === days.length - 1 && (
              <button
                type="button"
                class="calendar-button"
                aria-label={ui.say('calendar')}
                aria-describedby={idOf(component, 'label')}
                disabled={isDisabled(component)}
                onClick={this.#open}
              />
            )}
            {helpers?.[at] && <small dir="auto">{helpers[at]}</small>}
          </div>
        ))}
        {chosen && (
          <Calendar
            say={ui.say}
            label={labels[chosen.length] ?? ''}
            days={chosen.length > 0 ? chosen : days}
            opensAt={possibleDay(component)}
            isAvailable={(day) => isAvailable(component, daysWith(chosen, day))}
            choose={(day) => this.#choose(daysWith(chosen, day))}
            close={() => this.setState({ chosen: undefined })}
          />
        )}
      </div>
    );
  }

  readonly #open = () => this.setState({ chosen: [] });

  #choose(chosen: Days): void {
    const { component, ui, labels } = this.props;
    const isDone = chosen.length === labels.length;
    if (isDone) ui.setValue(component, valueFor(component, chosen));
    this.setState({ chosen: isDone ? undefined : chosen });
  }
}

interface DayInputProps extends ComponentProps {
  readonly days: Days;
  readonly day: string;
  readonly at: number;
  readonly id: string | undefined;
  readonly open: () => void;
}

/** For users who prefer to type. An empty one shows its label, as a phone does, until it has the focus. */
function DayInput({ component, ui, days, day, at, id, open }: DayInputProps) {
  const change = (typed: string) => {
    // A year is typed digit by digit: 2026 is 0002 at first.
    if (!typed.startsWith('0')) ui.setValue(component, valueFor(component, days.with(at, typed)));
  };
  return (
    <input
      id={id}
      class={day === '' ? 'empty' : ''}
      type="date"
      value={day}
      min={limitOf(component, 'min')}
      max={limitOf(component, 'max')}
      required={!isOptional(component)}
      disabled={isDisabled(component)}
      onClick={(event) => {
        // Not the browser's own calendar.
        event.preventDefault();
        open();
      }}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      {...inputAria(component, ui)}
    />
  );
}

const dayIn = (value: unknown): string => (isDay(value) ? value : '');

const limitOf = ({ properties }: VisibleComponent, end: 'min' | 'max'): string => dayIn(own(properties, `${end}-date`));

/** The day closest to today within the limits: the middle one of the three. */
function possibleDay(component: VisibleComponent): string {
  const days = [limitOf(component, 'min'), today(), limitOf(component, 'max') || '9'];
  return days.sort()[1] ?? '';
}

/** A day before the first day replaces it. */
const daysWith = (chosen: Days, day: string): Days => (day < (chosen[0] ?? '') ? [day] : [...chosen, day]);

/** Whether the last of these days may be chosen. The first day of a period is checked like a single date. */
function isAvailable(component: VisibleComponent, days: Days): boolean {
  const checked =
    days.length > 1 ? component : { ...component, properties: { ...component.properties, mode: 'single' } };
  return checkInput(checked, valueFor(checked, days)) === undefined;
}

function isPeriod({ properties }: VisibleComponent): boolean {
  return own(properties, 'mode') === 'range';
}

/** The value of the input for these days. */
function valueFor(component: VisibleComponent, days: Days): unknown {
  const dates = days.map(dayIn);
  if (!isPeriod(component)) return dates[0];
  return Object.fromEntries(ends.map((end, at) => [end, dates[at]]).filter(([, date]) => date));
}
