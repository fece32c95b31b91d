import { render } from 'preact';
import { App } from './app.tsx';
import { Live } from './live.ts';

const root = document.getElementById('page');
if (root) render(<App live={new Live()} />, root);
