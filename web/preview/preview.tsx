import { render } from 'preact';
import { closeMenusWhenLeft } from './menu.tsx';
import { readPageData } from './page-data.ts';
import { App } from './preview-app.tsx';

closeMenusWhenLeft();
const root = document.getElementById('preview');
if (root) render(<App data={readPageData()} />, root);
