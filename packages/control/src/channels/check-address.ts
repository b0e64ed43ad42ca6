import { api, ApiError } from '@tidegate/contract'
import { CHANNEL_TYPES } from '@tidegate/providers'

/** Without the slash at its end; blank where the vendor has an address of its own. */
export function checkBaseUrl(type: number, text: string): string {
  const address = text.trim().replace(/\/+$/, '')
  if (address === '') {
    if (!CHANNEL_TYPES.get(type)?.baseUrl && !isFoundByRegion(type)) throw new ApiError('channel_base_url_required')
    return ''
  }
  // A custom address may hold `{model}`, which is no part of a host.
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new ApiError('channel_base_url_invalid')
  return address
}

/** Two clouds have an address for every region, and no other. */
function isFoundByRegion(type: number): boolean {
  const kind = api.channelTypeOf(type)
  return kind !== undefined && !kind.baseUrlRequired && kind.baseUrl === ''
}

/** The free field of a channel, by what its type makes of it. */
export function checkOther(type: number, text: string): string {
  const kind = api.channelTypeOf(type)
  if (kind?.other === 'region') return checkRegion(text)
  return text.trim() === '' ? (kind?.otherDefault ?? '') : text
}

/** A region, or a JSON object of model names to regions that has a default. */
function checkRegion(text: string): string {
  const region = text.trim()
  if (region === '') throw new ApiError('channel_region_required')
  const isName = REGION.test(region)
  if (!isName && !isRegionMap(region)) throw new ApiError('channel_region_invalid')
  return region
}

const REGION = /^[a-z][a-z0-9-]{0,62}$/

function isRegionMap(text: string): boolean {
  try {
    const map: unknown = JSON.parse(text)
    if (typeof map !== 'object' || map === null || Array.isArray(map)) return false
    const isRegion = (value: unknown) => typeof value === 'string' && REGION.test(value)
    return Object.hasOwn(map, 'default') && Object.values(map).every(isRegion)
  } catch {
    return false
  }
}
