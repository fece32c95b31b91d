import { render } from 'preact';
import { closeMenusWhenLeft } from '#web/preview/menu.tsx';
import { App } from './app.tsx';
import { Live } from './live.ts';

closeMenusWhenLeft();
const root = document.getElementById('page');
if (root) render(<App live={new Live()} />, root);
