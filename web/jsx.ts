/** The functions with which the build creates elements. */
export { Fragment, h } from 'preact';
