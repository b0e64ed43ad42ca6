import { stripNul } from '@tidegate/contract'
import type { ConversationStore, NewConversation, StoredConversation } from '@tidegate/gateway'
import { conversations, type ConversationRow, type Db, type NewConversationItem, type Vault } from '@tidegate/storage'
import { openJson, sealText } from './response-store.ts'

interface ConversationStoreDeps {
  readonly db: Db
  readonly vault: Pick<Vault, 'seal' | 'open'>
}

/** Stores conversations in the database, encrypted. */
export function createConversationStore({ db, vault }: ConversationStoreDeps): ConversationStore {
  const contextOf = (userId: number, ...ids: string[]) => [userId, ...ids].join(':')

  const sealMetadata = (userId: number, id: string, metadata: object) =>
    sealText(vault, 'conversation', contextOf(userId, id), JSON.stringify(metadata))

  async function toConversation(userId: number, row: ConversationRow): Promise<StoredConversation> {
    const metadata = await openJson(vault, 'conversation', contextOf(userId, row.id), row.sealed)
    return { id: row.id, createdAt: row.created_at, metadata: metadata as StoredConversation['metadata'] }
  }

  async function addItems(target: Parameters<ConversationStore['addItems']>[0], items: NewConversation['items']) {
    const { userId, id } = target
    const rows = items.map(async (item): Promise<NewConversationItem> => {
      const itemId = stripNul(String(item.id))
      const sealed = await sealText(vault, 'conversation-item', contextOf(userId, id, itemId), JSON.stringify(item))
      return { user_id: userId, conversation_id: id, id: itemId, sealed }
    })
    await conversations.addItems(db, target, await Promise.all(rows))
  }

  return {
    async create({ userId, id, metadata, items, createdAt, expiresAt }) {
      const sealed = await sealMetadata(userId, id, metadata)
      await conversations.insert(db, { user_id: userId, id, sealed, created_at: createdAt, expires_at: expiresAt })
      await addItems({ userId, id, expiresAt }, items)
    },
    async find(userId, id) {
      const row = await conversations.find(db, userId, id)
      return row && toConversation(userId, row)
    },
    isOfAnother: (userId, id) => conversations.isOfAnother(db, userId, id),
    async change(userId, id, metadata) {
      await conversations.change(db, userId, id, await sealMetadata(userId, id, metadata))
    },
    remove: (userId, id) => conversations.remove(db, userId, id),
    async listItems(userId, id) {
      const rows = await conversations.listItems(db, userId, id)
      const opened = rows.map((row) => openJson(vault, 'conversation-item', contextOf(userId, id, row.id), row.sealed))
      return (await Promise.all(opened)) as NewConversation['items']
    },
    addItems,
    removeItem: (userId, conversationId, id) => conversations.removeItem(db, userId, { conversationId, id }),
  }
}
