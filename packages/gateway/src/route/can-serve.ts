import type { DialectId } from '@tidegate/dialects'
import { chooseConversation, providerOf, type OperationId, type TaskKind } from '@tidegate/providers'
import type { CatalogChannel } from '../ports/index.ts'

/** Whether a channel speaks what the call needs. One whose settings cannot be read would not do what its operator meant. */
export function canServe(
  channel: CatalogChannel,
  { dialect, operation, task, model }: { dialect: DialectId; operation?: OperationId; task?: TaskKind; model: string },
): boolean {
  if (!isConfigured(channel)) return false
  const provider = providerOf(channel.type)
  if (operation !== undefined) return provider.operations?.[operation] !== undefined
  if (task !== undefined) return provider.tasks?.[task] !== undefined
  const target = { model, setting: channel.setting }
  return chooseConversation(provider, { dialect, target }) !== undefined
}

/** A channel without a key, or with settings that cannot be read, serves nothing. */
export function isConfigured({ keys, unreadable = [] }: Pick<CatalogChannel, 'keys' | 'unreadable'>): boolean {
  return keys.length > 0 && unreadable.length === 0
}
