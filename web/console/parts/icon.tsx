/** Lines of icons in a square of 24. */
const lines = {
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
  video: 'M3 6h12v12H3zM15 10l6-3v10l-6-3z',
  audio: 'M12 4a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V7a3 3 0 0 1 3-3zM6 11a6 6 0 0 0 12 0M12 17v3',
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  sticker: 'M5 4h14v10l-5 6H5zM14 20v-6h5M9 10h.01M14 10h.01',
  place: 'M12 21s7-6.2 7-11a7 7 0 0 0-14 0c0 4.8 7 11 7 11zM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c0-4 3.5-6 8-6s8 2 8 6',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 19c0-3.5 3-5 7-5s7 1.5 7 5M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2.5.6 4 2 4 4.5',
  call: 'M5 4h4l1.5 5-2.3 1.5a12 12 0 0 0 5.3 5.3L15 13.5l5 1.5v4a1 1 0 0 1-1 1A16 16 0 0 1 4 5a1 1 0 0 1 1-1z',
  attach: 'M12 5v14M5 12h14',
  more: 'M12 5.5h.01M12 12h.01M12 18.5h.01',
  reply: 'M10 5l-6 6 6 6M4 11h9c4 0 7 2 7 8',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  link: 'M10 5H5v14h14v-5M13 5h6v6M19 5l-9 9',
  check: 'M5 13l4 4L19 7',
  checks: 'M2 13l4 4L16 7M11 16l1 1L22 7',
  send: 'M4 11l16-7-5 16-4-7zM11 13l9-9',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
  pause: 'M8 6v12M16 6v12',
  cross: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7 7 7',
} as const;

export type IconName = keyof typeof lines;

/** A drawing beside a word that says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={lines[name]} />
    </svg>
  );
}
