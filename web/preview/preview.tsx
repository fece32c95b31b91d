import { render } from 'preact';
import { readPageData } from './page-data.ts';
import { App } from './preview-app.tsx';

const root = document.getElementById('preview');
if (root) render(<App data={readPageData()} />, root);
