import type { DialectId } from '@tidegate/dialects'
import { chooseConversation, providerOf } from '@tidegate/providers'
import type { CatalogChannel } from '../ports.ts'

/** Whether a channel speaks what the call needs. One whose settings cannot be read would not do what its operator meant. */
export function canServe(channel: CatalogChannel, { dialect, model }: { dialect: DialectId; model: string }): boolean {
  if (channel.keys.length === 0 || (channel.unreadable?.length ?? 0) > 0) return false
  const target = { model, setting: channel.setting }
  return chooseConversation(providerOf(channel.type), { dialect, target }) !== undefined
}
