import type { Status } from '@tidegate/contract/api'
import { canUsePasskeys } from '../proof/passkeys.ts'

const IP_ADDRESS = /^(\d+\.){3}\d+$|^\[/

/** Passkeys belong to the name of a site: a browser offers them at the address that the operator has set, nowhere else. */
export function passkeysWorkHere({ server_address }: Pick<Status, 'server_address'>): boolean {
  if (!canUsePasskeys() || !URL.canParse(server_address)) return false
  const site = new URL(server_address)
  return site.origin === window.location.origin && !IP_ADDRESS.test(site.hostname)
}
