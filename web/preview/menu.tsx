import { Component, type ComponentChildren } from 'preact';

interface MenuProps {
  /** What the button says, if its sign does not. */
  readonly label?: string;
  /** What the button shows. */
  readonly sign: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

let menus = 0;

/**
 * What a button opens above the page, such as further actions. The browser closes it on Escape, on a click elsewhere, and
 * when another one opens, and gives the focus back to the button.
 */
export class Menu extends Component<MenuProps, { isOpen: boolean }> {
  override state = { isOpen: false };
  readonly #id = `menu-${++menus}`;

  override render({ label, sign, class: name = '', children }: MenuProps, { isOpen }: { isOpen: boolean }) {
    return (
      <>
        <button type="button" class={`menu-button ${name}`} aria-label={label} popovertarget={this.#id}>
          {sign}
        </button>
        <div
          id={this.#id}
          class={`menu ${name}`}
          popover="auto"
          onBeforeToggle={({ newState }) => this.setState({ isOpen: newState === 'open' })}
        >
          {isOpen && children}
        </div>
      </>
    );
  }
}

/** Closes the menu around an element, if there is one. */
export const closeMenu = (within: Element) => within.closest<HTMLElement>('[popover]')?.hidePopover();
