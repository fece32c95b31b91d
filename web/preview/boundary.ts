import { Component, type ComponentChildren } from 'preact';

interface BoundaryProps {
  readonly instead: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Draws a substitute if its children cannot be drawn. */
export class Boundary extends Component<BoundaryProps, { failed?: boolean }> {
  static override getDerivedStateFromError = () => ({ failed: true });

  override render({ instead, children }: BoundaryProps, { failed }: { failed?: boolean }) {
    return failed ? instead : children;
  }
}
