import { ApiError, type Settings } from '@tidegate/contract'
import { asJsonObject, asJsonObjects, asText, type JsonObject } from '@tidegate/dialects'
import type { ApiRequest } from '../http/api-request.ts'
import type { Endpoint } from '../http/endpoints.ts'
import { readJson, requireField } from '../http/read-body.ts'
import type { Caller, ConversationStore, StoredConversation } from '../ports/index.ts'
import { STORAGE_OFF } from './response-turn.ts'
import { newId } from './send-chat.ts'
import { withId } from './store-response.ts'
import { listItems } from './stored-response-endpoints.ts'

type ConversationEndpoint = Extract<Endpoint, { kind: 'conversation' }>

interface ConversationRequest {
  readonly incoming: Pick<ApiRequest, 'request' | 'startedAt'>
  readonly caller: Pick<Caller, 'userId' | 'storesResponses'>
  readonly settings: Pick<Settings, 'StoredResponseDays'>
}

const DAY_MS = 86_400_000
const MAX_BYTES = 4 * 1024 * 1024
const MAX_ITEMS = 20
const MAX_METADATA = 16
const MAX_METADATA_LENGTH = 512

/** Creates, shows and changes conversations of the caller. No provider is called. */
export async function serveConversation(
  store: ConversationStore,
  { action, id, itemId }: ConversationEndpoint,
  { incoming, caller, settings }: ConversationRequest,
): Promise<object> {
  const { userId } = caller
  const { StoredResponseDays: days } = settings
  const expiresAt = new Date(incoming.startedAt + days * DAY_MS)
  const readBody = async () => {
    const isAllowed = caller.storesResponses !== false && days > 0
    requireField(isAllowed, STORAGE_OFF)
    return (await readJson(incoming.request, { capBytes: MAX_BYTES })).json
  }
  if (action === 'create') {
    const body = await readBody()
    const created = { id: `conv_${newId()}`, metadata: readMetadata(body), createdAt: new Date(incoming.startedAt) }
    await store.create({ ...created, userId, items: readItems(body), expiresAt })
    return show(created)
  }
  const conversation = await store.find(userId, id)
  if (!conversation) throw new ApiError('conversation_not_found', { id })
  switch (action) {
    case 'show':
      return show(conversation)
    case 'change': {
      const metadata = readMetadata(await readBody())
      await store.change(userId, id, metadata)
      return show({ ...conversation, metadata })
    }
    case 'delete':
      await store.remove(userId, id)
      return { id, object: 'conversation.deleted', deleted: true }
    case 'list-items':
      return listItems(await store.listItems(userId, id), queryOf(incoming))
    case 'add-items': {
      const items = readItems(await readBody())
      requireField(items.length > 0, 'items must have at least one item')
      await store.addItems({ userId, id, expiresAt }, items)
      return listItems(items, new URLSearchParams({ order: 'asc', limit: String(MAX_ITEMS) }))
    }
    case 'show-item': {
      const item = (await store.listItems(userId, id)).find((one) => one.id === itemId)
      if (!item) throw new ApiError('stored_item_not_found', { id: itemId })
      return item
    }
    case 'delete-item':
      if (await store.removeItem(userId, id, itemId)) return show(conversation)
      throw new ApiError('stored_item_not_found', { id: itemId })
  }
}

function show({ id, metadata, createdAt }: StoredConversation): object {
  return { id, object: 'conversation', created_at: Math.floor(createdAt.getTime() / 1000), metadata }
}

function queryOf({ request: { url = '' } }: Pick<ApiRequest, 'request'>): URLSearchParams {
  return new URL(url, 'http://gateway').searchParams
}

function readItems({ items = [] }: JsonObject): JsonObject[] {
  const isList = items === null || (Array.isArray(items) && items.length <= MAX_ITEMS)
  requireField(isList, `items must be a list of at most ${MAX_ITEMS} items`)
  const read = asJsonObjects(items)
  requireField(read.every(isItem), 'every item needs a type, or a role')
  return read.map((item) => withId(item))
}

function isItem({ type, role }: JsonObject): boolean {
  return asText(role) !== '' || (asText(type) !== '' && type !== 'item_reference')
}

function readMetadata({ metadata }: JsonObject): JsonObject {
  const entries = Object.entries(asJsonObject(metadata) ?? {})
  const isValid = entries.every(([, value]) => typeof value === 'string' && value.length <= MAX_METADATA_LENGTH)
  const isSmall = entries.length <= MAX_METADATA
  requireField(isValid && isSmall, `metadata has at most ${MAX_METADATA} texts of ${MAX_METADATA_LENGTH} characters`)
  return Object.fromEntries(entries)
}
