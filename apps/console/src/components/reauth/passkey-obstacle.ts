import { canUsePasskeys } from './passkeys.ts'

const IP_ADDRESS = /^(\d+\.){3}\d+$|^\[/

/**
 * Why no passkey can be used here: the browser has none, the site has no name for them to belong to, or the console is
 * open at another address than the one they belong to.
 */
export function passkeyObstacle(
  serverAddress: string,
  here: Pick<Location, 'origin'> = window.location,
): 'unset' | 'elsewhere' | 'browser' | null {
  const site = URL.canParse(serverAddress) ? new URL(serverAddress) : null
  if (site === null || IP_ADDRESS.test(site.hostname)) return 'unset'
  if (site.origin !== here.origin) return 'elsewhere'
  return canUsePasskeys() ? null : 'browser'
}
