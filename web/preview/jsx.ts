/** What the build makes elements with. */
export { Fragment, h } from 'preact';
