/**
 * Ends the process with a sentence if Node is too old to run the project, such as that of a CDK that was installed
 * globally. This is JavaScript, so that an older Node can say so.
 */
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `This project needs Node 24, and this is ${process.versions.node}. On Linux and Windows, npm ci installs it for npx: ` +
      'type "npx cdk". On other systems, install Node 24 from https://nodejs.org.',
  );
  process.exit(1);
}
