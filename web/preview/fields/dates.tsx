import { Component } from 'preact';
import { own } from '#shared/base/json.ts';
import { formatDate, parseDate } from '#shared/flow-json/document/values.ts';
import { checkInput } from '#shared/flow-json/play/check-input.ts';
import type { VisibleComponent } from '#shared/flow-json/play/resolve-values.ts';
import { type ComponentProps, idOf, isDisabled, nameOf, textIn, textOf, type Ui } from '../ui.ts';
import { Calendar } from './calendar.tsx';
import { today } from './days.ts';
import { Field, Group, inputAria, isOptional } from './field.tsx';

/** One day, or the first and the last day of a period, as `YYYY-MM-DD` or empty. */
type Days = readonly string[];

const ends = ['start-date', 'end-date'] as const;

export function DatePicker({ component, ui }: ComponentProps) {
  const days = [parseDate(ui.value(nameOf(component)), ui.version) ?? ''];
  return (
    <Field component={component} ui={ui}>
      <div class="dates">
        <DayInput {...{ component, ui, days }} at={0} id={idOf(component)} />
        <CalendarButton {...{ component, ui, days }} labels={[textOf(component, 'label')]} />
      </div>
    </Field>
  );
}

/** One date, or a period as `{start-date, end-date}`. */
export function CalendarPicker({ component, ui }: ComponentProps) {
  const { 'helper-text': helpers, ...properties } = component.properties;
  if (!isPeriod(component)) return <DatePicker component={component} ui={ui} />;
  const value = ui.value(nameOf(component));
  const days = ends.map((end) => parseDate(own(value, end), ui.version) ?? '');
  const labels = ends.map((end, at) => textIn(properties.label, end) || ui.say(at === 0 ? 'from' : 'to'));
  return (
    <Group component={{ ...component, properties: { ...properties, label: textOf(component, 'title') } }} ui={ui}>
      <div class="dates">
        {ends.map((end, at) => (
          <div>
            <label for={idOf(component, end)} dir="auto">
              {labels[at]} <small>{textIn(helpers, end)}</small>
            </label>
            <DayInput {...{ component, ui, days, at }} id={idOf(component, end)} />
          </div>
        ))}
        <CalendarButton {...{ component, ui, days, labels }} />
      </div>
    </Group>
  );
}

interface DaysProps extends ComponentProps {
  readonly days: Days;
}

/** For users who prefer to type. */
function DayInput({ component, ui, days, at, id }: DaysProps & { at: number; id: string }) {
  const change = (day: string) => {
    // A year is typed digit by digit: 2026 is 0002 at first.
    if (!day.startsWith('0')) ui.setValue(component, valueFor(component, ui, days.with(at, day)));
  };
  return (
    <input
      id={id}
      type="date"
      value={days[at]}
      min={limitOf(component, ui, 'min')}
      max={limitOf(component, ui, 'max')}
      required={!isOptional(component)}
      disabled={isDisabled(component)}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      {...inputAria(component, ui)}
    />
  );
}

interface CalendarButtonProps extends DaysProps {
  /** The labels of the days to choose, in order. */
  readonly labels: readonly string[];
}

/** Opens a calendar; for a period, the user chooses both ends in it. */
class CalendarButton extends Component<CalendarButtonProps, { chosen?: Days | undefined }> {
  override render({ component, ui, days, labels }: CalendarButtonProps, { chosen }: { chosen?: Days | undefined }) {
    return (
      <>
        <button
          type="button"
          class="calendar-button"
          aria-label={ui.say('calendar')}
          aria-describedby={idOf(component, 'label')}
          disabled={isDisabled(component)}
          onClick={() => this.setState({ chosen: [] })}
        />
        {chosen && (
          <Calendar
            say={ui.say}
            label={labels[chosen.length] ?? ''}
            days={chosen.length > 0 ? chosen : days}
            opensAt={possibleDay(component, ui)}
            isAvailable={(day) => isAvailable(component, ui, daysWith(chosen, day))}
            choose={(day) => this.#choose(daysWith(chosen, day))}
            close={() => this.setState({ chosen: undefined })}
          />
        )}
      </>
    );
  }

  #choose(chosen: Days): void {
    const { component, ui, labels } = this.props;
    const isDone = chosen.length === labels.length;
    if (isDone) ui.setValue(component, valueFor(component, ui, chosen));
    this.setState({ chosen: isDone ? undefined : chosen });
  }
}

const limitOf = ({ properties }: VisibleComponent, { version }: Ui, end: 'min' | 'max'): string | undefined =>
  parseDate(own(properties, `${end}-date`), version);

/** The day closest to today within the limits: the middle one of the three. */
function possibleDay(component: VisibleComponent, ui: Ui): string {
  const days = [limitOf(component, ui, 'min') ?? '', today(), limitOf(component, ui, 'max') ?? '9'];
  return days.sort()[1] ?? '';
}

/** A day before the first day replaces it. */
const daysWith = (chosen: Days, day: string): Days => (day < (chosen[0] ?? '') ? [day] : [...chosen, day]);

/** Whether the last of these days may be chosen. The first day of a period is checked like a single date. */
function isAvailable(component: VisibleComponent, ui: Ui, days: Days): boolean {
  const checked =
    days.length > 1 ? component : { ...component, properties: { ...component.properties, mode: 'single' } };
  return checkInput(checked, valueFor(checked, ui, days), ui.version) === undefined;
}

function isPeriod({ properties }: VisibleComponent): boolean {
  return own(properties, 'mode') === 'range';
}

/** The value of the input for these days. */
function valueFor(component: VisibleComponent, { version }: Ui, days: Days): unknown {
  const dates = days.map((day) => formatDate(day, version));
  if (!isPeriod(component)) return dates[0];
  return Object.fromEntries(ends.map((end, at) => [end, dates[at]]).filter(([, date]) => date));
}
