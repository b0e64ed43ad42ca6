import type { Target } from '@tidegate/providers'
import type { CatalogChannel } from '../ports/index.ts'

/** Where a channel leads to, with one of its keys and the name its vendor is asked for. */
export function targetOf(channel: CatalogChannel, { key, model }: { key: string; model: string }): Target {
  return {
    baseUrl: channel.baseUrl,
    key,
    model,
    organization: channel.openaiOrganization,
    other: channel.other,
    setting: channel.setting,
  }
}
