import type { WorldAddresses } from '../world-description.ts';

/**
 * What to type before a live world can start, because it needs an address for the platform.
 *
 * @param command how the world was started: the variables `before` the command, and the command
 */
export const tunnelHelp = (
  port: number,
  { before, start }: { before: string; start: string },
): string => `PUBLIC_URL is not set. The platform sends events to an address on the internet, so the live world needs a tunnel to
port ${port} of this machine. Start one in another terminal, and give its address with PUBLIC_URL:

  cloudflared            cloudflared tunnel --url http://localhost:${port}
  ngrok                  ngrok http ${port}
  Tailscale Funnel       tailscale funnel ${port}
  ssh to your server     ssh -N -R 127.0.0.1:${port}:localhost:${port} you@your-server
                         There, a web server with a certificate passes requests to that port: docs/live.md shows how.

Then: ${before}PUBLIC_URL=https://the-address-it-prints ${start}`;

/**
 * What to type when the platform still sends events to the address of an earlier tunnel.
 *
 * @param prefix what stands in front of commands for the world
 */
export const newAddressHelp = (prefix: string): string =>
  `If the tunnel has another address than before: ${prefix}./messaging connect NUMBER --callback app --live`;

/**
 * The commands that take a live world without data to its first message, in order.
 *
 * @param prefix what stands in front of commands for the world
 */
export function nextSteps(
  { base_url, public_url }: Pick<WorldAddresses, 'base_url' | 'public_url'>,
  prefix: string,
): string {
  const admin = `${prefix}./messaging`;
  return `
This is a live world: it uses the real WhatsApp platform. It begins without any workspace, user, token or number.
Type next, in this order, in another terminal:

  1. ${admin} upstream set --live
     asks for the access token and the app secret of your Meta app, and makes a verify token
  2. ${admin} user create --name NAME --live
  3. ${admin} workspace create --name NAME --waba-id ID --owner USER --live
     the id of your WhatsApp business account
  4. ${admin} number create --workspace WORKSPACE --phone-number-id ID --display-phone-number NUMBER --live
  5. ${admin} token create --user USER --live
     prints the token for requests to ${base_url}
  6. ${admin} connect NUMBER --live
     subscribes to events and points the platform to ${public_url}/v2/messaging/events
  7. ${admin} doctor --live
     names what is still wrong

docs/first-number.md shows each step, with what it prints.
`;
}

/** The commands for every day. */
export const everydayCommands = (prefix: string): string => `${prefix}./messaging doctor --live
${prefix}./messaging tail --live
${receiveCommand(prefix)}`;

/** Shows the notifications of a number, without its token in the history of the shell. */
export const receiveCommand = (prefix: string): string =>
  `read -rs TOKEN && export TOKEN && ${prefix}./messaging receive --live NUMBER`;
