import { ApiError } from '@tidegate/contract'
import type { Target, UpstreamClient } from '@tidegate/providers'
import type { Vault } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { readEntries } from './check-json.ts'
import type { StoredChannel } from './channel.ts'
import { openKeys } from './keys/sealed-keys.ts'

/** Where questions about an account go, and by what way. */
export interface AccountTarget {
  type: number
  target: Target
  proxy: string | undefined
  headerOverride?: ReadonlyMap<string, string>
}

/** The account of a channel: that of its first key. */
export function targetOf(vault: Vault, channel: StoredChannel): AccountTarget {
  return {
    type: channel.type,
    target: {
      baseUrl: channel.base_url,
      key: openKeys(vault, channel)[0] ?? '',
      model: '',
      organization: channel.openai_organization,
      other: channel.other,
    },
    proxy: proxyOf(channel.setting),
    headerOverride: headerOverrideOf(channel.header_override),
  }
}

/** The proxy in the setting of a channel; a setting that cannot be read has none. */
export function proxyOf(setting: string): string | undefined {
  try {
    const proxy = new Map(readEntries('setting', setting)).get('proxy')
    return typeof proxy === 'string' && proxy.trim() !== '' ? proxy.trim() : undefined
  } catch {
    return undefined
  }
}

/** The headers that a channel replaces; a text that cannot be read replaces none. */
export function headerOverrideOf(text: string): ReadonlyMap<string, string> {
  try {
    const entries = readEntries('header_override', text)
    return new Map(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
  } catch {
    return new Map()
  }
}

export function requireUpstream({ upstream }: Pick<Deps, 'upstream'>): UpstreamClient {
  if (!upstream) throw new ApiError('upstream_calls_off')
  return upstream
}
