import type { ComponentChildren, TargetedEvent } from 'preact';

interface MenuProps {
  readonly label: string;
  /** What the button shows. */
  readonly sign: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Further actions behind a button. Escape, a click elsewhere and an action that succeeds close them again. */
export function Menu({ label, sign, class: name = '', children }: MenuProps) {
  return (
    <details class={`menu ${name}`} onToggle={closeWhenLeft}>
      <summary aria-label={label}>{sign}</summary>
      <div>{children}</div>
    </details>
  );
}

function closeWhenLeft({ currentTarget: menu }: TargetedEvent<HTMLDetailsElement>): void {
  if (!menu.open) return;
  const listening = new AbortController();
  const { signal } = listening;
  menu.addEventListener('toggle', () => listening.abort(), { signal });
  document.addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof Node && !menu.contains(target)) menu.removeAttribute('open');
    },
    { signal },
  );
  // Before the dialog or the sheet around the menu closes.
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      closeMenu(menu);
    },
    { signal, capture: true },
  );
}

/** Closes the menu around an element, if there is one, and puts the focus back on its button. */
export function closeMenu(within: Element): void {
  const menu = within.closest('details.menu');
  menu?.removeAttribute('open');
  menu?.querySelector('summary')?.focus();
}
