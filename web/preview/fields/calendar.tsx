import { Component, createRef, type TargetedKeyboardEvent } from 'preact';
import type { Say } from '../say.ts';
import { Sheet } from '../sheet.tsx';
import { addDays, addMonths, dayOfWeek, today, writeDay } from './days.ts';

interface CalendarProps {
  readonly say: Say;
  readonly label: string;
  /** The chosen day, or the first and the last day of a period, as `YYYY-MM-DD`; empty for none. */
  readonly days: readonly string[];
  /** The day at which the calendar opens if none is chosen. */
  readonly opensAt: string;
  readonly isAvailable: (day: string) => boolean;
  readonly choose: (day: string) => void;
  readonly close: () => void;
}

const weeksOfMonth = [0, 1, 2, 3, 4, 5];
const daysOfWeek = [0, 1, 2, 3, 4, 5, 6];
const turns = [
  { months: -12, sign: '«', name: 'previousYear' },
  { months: -1, sign: '‹', name: 'previousMonth' },
  { months: 1, sign: '›', name: 'nextMonth' },
  { months: 12, sign: '»', name: 'nextYear' },
] as const;

/**
 * Shows a month in which the user chooses a day, after the pattern "Date Picker Dialog" of the ARIA Authoring Practices
 * Guide.
 */
export class Calendar extends Component<CalendarProps, { at: string }> {
  override state = { at: this.props.days[0] || this.props.opensAt };
  readonly #grid = createRef<HTMLTableElement>();

  override componentDidMount() {
    this.#focusDay();
  }

  override render({ say, label, close }: CalendarProps, { at }: { at: string }) {
    const first = `${at.slice(0, 8)}01`;
    const start = addDays(first, -dayOfWeek(first));
    return (
      <Sheet class="calendar" label={label} say={say} close={close}>
        <div class="controls">
          <span aria-live="polite">{writeDay(at, { month: 'long', year: 'numeric' })}</span>
          {turns.map(({ months, sign, name }) => (
            <button type="button" class="icon" aria-label={say(name)} onClick={() => this.#turn(months)}>
              {sign}
            </button>
          ))}
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern is a table that is a grid. */}
        <table role="grid" ref={this.#grid} aria-label={label} onKeyDown={(event) => this.#move(event)}>
          <thead>
            <tr>
              {daysOfWeek.map((day) => (
                <th scope="col" abbr={writeDay(addDays(start, day), { weekday: 'long' })}>
                  {writeDay(addDays(start, day), { weekday: 'narrow' })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeksOfMonth.map((week) => (
              <tr>{daysOfWeek.map((day) => this.#day(addDays(start, week * 7 + day)))}</tr>
            ))}
          </tbody>
        </table>
      </Sheet>
    );
  }

  #day(day: string) {
    const { at } = this.state;
    const { days, isAvailable } = this.props;
    const [from = '', to = ''] = days;
    if (day.slice(0, 7) !== at.slice(0, 7)) return <td />;
    return (
      // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a cell of a grid is a gridcell.
      <td class={days.includes(day) ? 'end' : ''} aria-selected={day === from || (from < day && day <= to)}>
        <button
          type="button"
          tabIndex={day === at ? 0 : -1}
          aria-label={writeDay(day, { dateStyle: 'full' })}
          aria-disabled={!isAvailable(day)}
          aria-current={day === today() ? 'date' : undefined}
          onClick={() => this.#press(day)}
        >
          {Number(day.slice(8))}
        </button>
      </td>
    );
  }

  #press(day: string): void {
    this.setState({ at: day });
    if (this.props.isAvailable(day)) this.props.choose(day);
  }

  #turn(months: number): void {
    this.setState(({ at }) => ({ at: addMonths(at, months) }));
  }

  #move(event: TargetedKeyboardEvent<HTMLTableElement>): void {
    const { at } = this.state;
    const forward = event.currentTarget.matches(':dir(rtl)') ? -1 : 1;
    const months = event.shiftKey ? 12 : 1;
    const goals: Readonly<Record<string, string>> = {
      ArrowRight: addDays(at, forward),
      ArrowLeft: addDays(at, -forward),
      ArrowDown: addDays(at, 7),
      ArrowUp: addDays(at, -7),
      Home: addDays(at, -dayOfWeek(at)),
      End: addDays(at, 6 - dayOfWeek(at)),
      PageDown: addMonths(at, months),
      PageUp: addMonths(at, -months),
    };
    const goal = goals[event.key];
    if (goal === undefined) return;
    event.preventDefault();
    this.setState({ at: goal }, () => this.#focusDay());
  }

  #focusDay(): void {
    this.#grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }
}
