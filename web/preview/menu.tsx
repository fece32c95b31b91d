import type { ComponentChildren } from 'preact';

interface MenuProps {
  readonly label: string;
  /** What the button shows. */
  readonly sign: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Further actions behind a button. */
export function Menu({ label, sign, class: name = '', children }: MenuProps) {
  return (
    <details class={`menu ${name}`}>
      <summary aria-label={label}>{sign}</summary>
      <div>{children}</div>
    </details>
  );
}

/** Lets Escape and a click elsewhere close the menus of the page. */
export function closeMenusWhenLeft(): void {
  document.addEventListener('click', ({ target }) => {
    for (const menu of openMenus()) {
      if (target instanceof Node && !menu.contains(target)) menu.removeAttribute('open');
    }
  });
  // Before the dialog or the sheet around the menu closes.
  document.addEventListener(
    'keydown',
    (event) => {
      const [menu] = openMenus();
      if (event.key !== 'Escape' || menu === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      closeMenu(menu);
    },
    { capture: true },
  );
}

const openMenus = () => document.querySelectorAll('details.menu[open]');

/** Closes the menu around an element, if there is one, and puts the focus back on its button. */
export function closeMenu(within: Element): void {
  const menu = within.closest('details.menu');
  menu?.removeAttribute('open');
  menu?.querySelector('summary')?.focus();
}
