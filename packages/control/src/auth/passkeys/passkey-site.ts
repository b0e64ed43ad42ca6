import { isIP } from 'node:net'
import { ApiError, type Settings } from '@tidegate/contract'

export interface PasskeySite {
  /** The host that passkeys belong to: with another one they are lost. */
  rpId: string
  origin: string
  name: string
}

type SiteSettings = Pick<Settings, 'ServerAddress' | 'SystemName'>

/** Where passkeys are used; undefined while the address of the site is not set or has no name, which browsers refuse. */
export function passkeySite({ ServerAddress, SystemName }: SiteSettings): PasskeySite | undefined {
  if (ServerAddress === '') return undefined
  const { hostname, origin } = new URL(ServerAddress)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined
  return { rpId: hostname, origin, name: SystemName }
}

export function requirePasskeySite(settings: SiteSettings): PasskeySite {
  const site = passkeySite(settings)
  if (!site) throw new ApiError('passkey_address_unset')
  return site
}
