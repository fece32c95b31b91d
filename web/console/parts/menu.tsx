import type { ComponentChildren, TargetedEvent } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface MenuProps {
  readonly label: string;
  readonly icon: IconName;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** Further actions behind a button. Escape closes them again. */
export function Menu({ label, icon, class: name, children }: MenuProps) {
  return (
    <details class={`menu ${name}`} onKeyDown={closeOnEscape}>
      <summary aria-label={label}>
        <Icon name={icon} />
      </summary>
      <div>{children}</div>
    </details>
  );
}

function closeOnEscape(event: TargetedEvent<HTMLDetailsElement, KeyboardEvent>): void {
  const { currentTarget, key } = event;
  if (key !== 'Escape' || !currentTarget.open) return;
  event.preventDefault();
  closeMenu(currentTarget);
}

/** Closes the menu around an element, and puts the focus back on its button. */
export function closeMenu(within: Element): void {
  const menu = within.closest('details');
  menu?.removeAttribute('open');
  menu?.querySelector('summary')?.focus();
}
