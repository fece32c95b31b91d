/** Folders import each other in one direction only. Tests are left out: they may use what they like. */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-circular-folders',
      severity: 'error',
      comment: 'Two folders that import each other are one folder, or a third is missing.',
      scope: 'folder',
      from: { path: '^(shared|functions|local|infra|cli|web|support|bench|docs)(/|$)' },
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: [options.exclude.path, '[.]test[.]tsx?$', '^test/'] } },
};
