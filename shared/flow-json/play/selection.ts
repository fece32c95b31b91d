import { isObject, listOf, own } from '#shared/base/json.ts';
import type { VisibleComponent } from './resolve.ts';

/** The actions to run when an input changes: of deselected options, of selected options, then of the input itself. */
export function selectionActions({ properties }: VisibleComponent, before: unknown, after: unknown): unknown[] {
  const removed = selected(before).filter((id) => !selected(after).includes(id));
  const added = selected(after).filter((id) => !selected(before).includes(id));
  if (added.length === 0 && removed.length === 0) return [];
  const options = listOf(own(properties, 'data-source'));
  const ofOptions = (ids: readonly unknown[], name: string) =>
    options.filter((option) => ids.includes(own(option, 'id'))).map((option) => own(option, name));
  // An input without an action for deselection runs the one for selection.
  const onUnselect = own(properties, 'on-unselect-action') ?? own(properties, 'on-select-action');
  const ofGroup = added.length > 0 ? own(properties, 'on-select-action') : onUnselect;
  return [...ofOptions(removed, 'on-unselect-action'), ...ofOptions(added, 'on-select-action'), ofGroup].filter(
    (action) => action !== undefined,
  );
}

/** The value of an input as a list: the ids of options, or the value of an OptIn, a date or a whole period. */
function selected(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isObject(value) && Object.keys(value).length < 2) return [];
  return value === undefined || value === '' || value === false ? [] : [value];
}
