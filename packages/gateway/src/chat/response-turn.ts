import { ApiError, type Settings } from '@tidegate/contract'
import { fromLastCompaction, itemsById, type JsonObject, referencedId, type RequestHead } from '@tidegate/dialects'
import type { SessionAffinity } from '../health/session-affinity.ts'
import type { Caller, ConversationStore, ResponseLocation, ResponseStore, StoredItem } from '../ports/index.ts'
import { type TurnFormat, turnFormat } from './turn-format.ts'

/** A request of the Responses or the Interactions API, with the stored turns that it continues. */
export interface ResponseTurn {
  /** What is sent to a provider. */
  readonly request: RequestHead
  /** What the client sent. */
  readonly sent: RequestHead
  /** The same for all turns of a thread. */
  readonly thread: string
  readonly previousId: string | undefined
  /** Our conversation that the turn is added to. */
  readonly conversationId: string | undefined
  /** The items of this turn, without references. */
  readonly items: readonly JsonObject[]
  /** Whether the response is stored. */
  readonly stores: boolean
  /** The client wants it stored, and its input is too large. */
  readonly isTooLarge: boolean
  /** The provider's account continues what it stores. The same is possible with our copy. */
  readonly usesAccount: boolean
}

interface TurnDeps {
  readonly store: ResponseStore
  readonly conversations?: ConversationStore | undefined
  readonly affinity: Pick<SessionAffinity, 'findStored' | 'setStored'>
}

interface TurnOptions {
  readonly caller: Caller
  readonly settings: Pick<Settings, 'StoredResponseDays'>
  readonly requestId: string
  /** Uses our copy, also of what a provider stores. */
  readonly fromStore: boolean
}

/** A turn with more input than this is not stored. */
const MAX_STORED_CHARACTERS = 4 * 1024 * 1024
const MAX_CHARACTERS = 32 * 1024 * 1024

/**
 * Resolves the id of the turn before, and item references. What the provider's account stores too is continued there, so
 * that its reasoning and its cache are used; anything else is replaced by our copy, which every channel accepts.
 */
export async function resolveTurn(deps: TurnDeps, head: RequestHead, options: TurnOptions): Promise<ResponseTurn> {
  const { caller, settings, requestId } = options
  const sent = caller.storesResponses === false ? withoutStore(head) : head
  const format = turnFormat(sent.dialect)
  const previousId = sent.stored?.previousResponseId
  const previous = previousId === undefined ? undefined : await locate(deps, previousId, caller, format)
  const conversationId = await findConversation(deps, sent, caller)
  const items = format.readInput(sent.body.input)
  const references = await findReferences(deps.store, items, caller.userId)
  const found = previous ?? references.values().next().value?.location
  const thread = conversationId ?? found?.thread ?? requestId
  const isWanted = sent.stored?.storesResponse === true && settings.StoredResponseDays > 0
  const isTooLarge = sent.text.length > MAX_STORED_CHARACTERS
  const turn = {
    sent,
    thread,
    previousId,
    conversationId,
    items,
    stores: isWanted && !isTooLarge,
    isTooLarge: isWanted && isTooLarge,
    usesAccount: false,
  }
  if (sent.isBackground) checkBackground(sent, turn.stores)
  const request = {
    ...(sent.isBackground ? inBackground(sent) : sent),
    conversation: sent.conversation ?? `${format.object}s:${thread}`,
  }
  const holder = conversationId === undefined && !sent.isBackground ? holderOf(previous, references, items) : undefined
  if (holder?.account && !options.fromStore) {
    deps.affinity.setStored(holder.id, { userId: caller.userId, ...holder.account })
    const stored = { ...sent.stored!, holdingResponseId: holder.id }
    return { ...turn, request: { ...request, stored }, usesAccount: true }
  }
  if (!previous && conversationId === undefined && references.size === 0) return { ...turn, request }
  const earlier = await readEarlier(deps, { previous, conversationId, format }, caller.userId)
  const older = await findReferences(deps.store, earlier, caller.userId)
  const own = itemsById(earlier)
  const find = (id: string) => (references.get(id) ?? older.get(id))?.item ?? own.get(id)
  const resolved = resolveItems(items, find, format)
  const portable = fromLastCompaction(portableItems(resolveItems(earlier, find, format), format))
  const whole = writeWhole(request, [...portable, ...resolved], format)
  return { ...turn, items: resolved, request: { ...request, ...whole } }
}

function checkBackground({ body }: RequestHead, isStored: boolean): void {
  const reason = isStored
    ? 'webhook_config is not possible with background; poll the interaction'
    : 'a background response must be stored, and nothing is stored here'
  // The provider would call it with the id of a request that only we know.
  const hasWebhook = body.webhook_config !== undefined && body.webhook_config !== null
  if (!isStored || hasWebhook) throw new ApiError('invalid_text_request', { reason })
}

/** We run it: the provider streams to us, so that a long silence is detected, and stores nothing. */
function inBackground(head: RequestHead): RequestHead {
  const { background: _, ...rest } = head.body
  const body = { ...rest, stream: true, store: false }
  const stored = { ...head.stored, storesResponse: false }
  return { ...head, body, text: JSON.stringify(body), stream: true, stored }
}

/** The API token does not allow that its responses are stored, neither here nor by a provider. */
function withoutStore(head: RequestHead): RequestHead {
  if (head.stored?.storesResponse !== true) return head
  const body = { ...head.body, store: false }
  return { ...head, body, text: JSON.stringify(body), stored: { ...head.stored, storesResponse: false } }
}

/** Undefined for a response that is not stored here: its provider may know it. */
async function locate(
  { store, affinity }: TurnDeps,
  id: string,
  { userId }: Caller,
  { previousNotFound, object }: TurnFormat,
): Promise<ResponseLocation | undefined> {
  const found = await store.locate(userId, id).catch((error: unknown) => {
    if (affinity.findStored(id)) return undefined // the account continues it without us
    throw error
  })
  if (found && found.userId !== userId) throw new ApiError(previousNotFound, { id })
  if (found?.status === 'queued' || found?.status === 'in_progress') {
    throw new ApiError('invalid_text_request', { reason: `the ${object} ${id} is not finished` })
  }
  return found
}

/** The conversation of a request, if it is ours. A provider may know any other one. */
async function findConversation(
  { conversations }: TurnDeps,
  { stored }: RequestHead,
  { userId, storesResponses }: Caller,
): Promise<string | undefined> {
  const id = stored?.conversationId
  if (id === undefined || !conversations) return undefined
  if (stored?.previousResponseId !== undefined) {
    throw new ApiError('invalid_text_request', { reason: 'previous_response_id and conversation exclude each other' })
  }
  if (await conversations.find(userId, id)) {
    if (storesResponses !== false) return id
    throw new ApiError('invalid_text_request', { reason: STORAGE_OFF })
  }
  if (await conversations.isOfAnother(userId, id)) throw new ApiError('conversation_not_found', { id })
  return undefined
}

export const STORAGE_OFF = 'nothing is stored for this API token; send the whole conversation in input'

type References = ReadonlyMap<string, StoredItem>

async function findReferences(store: ResponseStore, items: readonly JsonObject[], userId: number): Promise<References> {
  const ids = referencedIds(items)
  return ids.length === 0 ? new Map() : store.findItems(userId, [...new Set(ids)])
}

function referencedIds(items: readonly JsonObject[]): string[] {
  return items.flatMap((item) => referencedId(item) ?? [])
}

/** The response whose account stores everything that the request continues. */
function holderOf(
  previous: ResponseLocation | undefined,
  references: References,
  items: readonly JsonObject[],
): ResponseLocation | undefined {
  const found = referencedIds(items).map((id) => references.get(id)?.location)
  const locations = previous ? [previous, ...found] : found
  const [first] = locations
  const isSame = (other: ResponseLocation | undefined) =>
    other?.account?.channelId === first?.account?.channelId && other?.account?.keyId === first?.account?.keyId
  return locations.every(isSame) ? first : undefined
}

/** The items of the turns before this one. */
async function readEarlier(
  { store, conversations }: TurnDeps,
  {
    previous,
    conversationId,
    format,
  }: {
    readonly previous: ResponseLocation | undefined
    readonly conversationId: string | undefined
    readonly format: TurnFormat
  },
  userId: number,
): Promise<readonly JsonObject[]> {
  if (conversationId !== undefined) return (await conversations?.listItems(userId, conversationId)) ?? []
  if (!previous) return []
  const turns = await store.findThread(userId, previous.id)
  const lost = turns[0] ? turns[0].previousId : previous.id
  if (lost !== undefined) throw new ApiError(format.previousNotFound, { id: lost })
  // A thread has the turns of one protocol.
  if (turns.some(({ response }) => response.object !== format.object)) {
    throw new ApiError(format.previousNotFound, { id: previous.id })
  }
  return turns.flatMap(({ input, response }) => [...input, ...format.readOutput(response)])
}

/** Items of earlier turns instead of references. */
function resolveItems(
  items: readonly JsonObject[],
  find: (id: string) => JsonObject | undefined,
  format: TurnFormat,
): JsonObject[] {
  return items.flatMap((item) => {
    const id = referencedId(item)
    if (id === undefined) return [item]
    const found = find(id)
    if (!found) throw new ApiError('stored_item_not_found', { id })
    return portableItems([found], format)
  })
}

function portableItems(items: readonly JsonObject[], { portable }: TurnFormat): JsonObject[] {
  return items.map(portable).filter((item) => item !== undefined)
}

/** The request with the whole conversation as input. */
function writeWhole(
  sent: RequestHead,
  input: readonly JsonObject[],
  { previousMember }: TurnFormat,
): Pick<RequestHead, 'body' | 'text' | 'stored'> {
  const { [previousMember]: _previous, conversation: _conversation, ...rest } = sent.body
  const body = { ...rest, input }
  const text = JSON.stringify(body)
  if (text.length > MAX_CHARACTERS) throw new ApiError('body_too_large')
  return { body, text, stored: { storesResponse: sent.stored?.storesResponse === true } }
}

/** The members of a response object that repeat the request. */
export function echoOf(turn: ResponseTurn): JsonObject {
  return turnFormat(turn.sent.dialect).echo(turn)
}
