const ticks: Readonly<Record<string, string>> = {
  accepted: '…',
  sent: '✓',
  delivered: '✓✓',
  read: '✓✓',
  played: '✓✓',
};

/** How far a message got, in a sign whose word is read aloud. */
export const Ticks = ({ status }: { status: string }) => (
  <span class="status" data-status={status} title={status}>
    <span aria-hidden="true">{ticks[status]}</span>
    <span class="visually-hidden"> {status}</span>
  </span>
);
