import { render } from 'preact';
import { App } from './app.tsx';
import { readPageData } from './page-data.ts';

const root = document.getElementById('preview');
if (root) render(<App data={readPageData()} />, root);
