import { render } from 'preact';
import { App } from './app.tsx';
import { closeMenusWhenLeft } from './menu.tsx';
import { readPageData } from './page-data.ts';

closeMenusWhenLeft();
const root = document.getElementById('preview');
if (root) render(<App data={readPageData()} />, root);
