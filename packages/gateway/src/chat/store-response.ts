import { logEvent, type Settings } from '@tidegate/contract'
import {
  asJsonObject,
  asJsonObjects,
  asText,
  type JsonObject,
  parseJsonObject,
  type RequestHead,
} from '@tidegate/dialects'
import { keyIdOf } from '../health/channel-keys.ts'
import type { SessionAffinity } from '../health/session-affinity.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { Caller, NewResponse, Ports, StoringAccount } from '../ports/index.ts'
import type { LastBytes } from './finish-response.ts'
import type { OpenedResponse } from './first-content.ts'
import { echoOf, type ResponseTurn } from './response-turn.ts'
import { newId, type ChatAttempt } from './send-chat.ts'
import { isRewritten } from './stream-writers.ts'
import { turnFormat } from './turn-format.ts'

interface ServedTurn {
  readonly turn: ResponseTurn
  readonly caller: Pick<Caller, 'userId'>
  readonly settings: Pick<Settings, 'StoredResponseDays'>
  readonly form: StoredForm
  readonly incoming: Pick<ApiRequest, 'startedAt'>
  /** The response with its output, for a protocol whose last event has none. */
  readonly collected?: (() => JsonObject) | undefined
}

interface StoredForm {
  /** The id that the client knows. Missing where a provider sent none. */
  readonly id: string | undefined
  /** The account that stores the response too. */
  readonly account: StoringAccount | undefined
}

const DAY_MS = 86_400_000

/**
 * Queues a response to be stored. `last` are the last bytes that the client receives. The turn of a conversation is
 * stored before they are sent: the next one may follow at once, in any process.
 */
export function storeResponse(
  { responses, conversations, log }: Pick<Ports, 'responses' | 'conversations' | 'log'>,
  { turn, caller: { userId }, settings, form: { id, account }, incoming: { startedAt }, collected }: ServedTurn,
  last: LastBytes,
): Promise<void> | undefined {
  if (id === undefined) return undefined
  const format = turnFormat(turn.sent.dialect)
  const draft = draftOf({ turn, userId, settings, startedAt, id })
  if (turn.stores) {
    const length = typeof last === 'string' || last instanceof Uint8Array ? last.length : 0
    const { input, echo } = contentOf(turn)
    const isOurs = turn.sent.isBackground === true
    responses?.save({
      ...draft,
      account,
      bytes: draft.bytes + 2 * length,
      content: () => {
        const ended = readResponse(last)
        const response = ended && collected ? { ...collected(), ...withoutOutput(ended) } : ended
        const isSame = isOurs ? response !== undefined : response?.id === id
        return isSame ? { input: format.readInput(input), response: { ...response, ...echo, id } } : undefined
      },
    })
  }
  const { items, conversationId } = turn
  const { expiresAt } = draft
  if (conversationId === undefined || !conversations) return undefined
  const added = [...items, ...asJsonObjects(readResponse(last)?.output)].map(withId)
  return conversations.addItems({ userId, id: conversationId, expiresAt }, added).catch((error: unknown) => {
    logEvent(log, 'response.not_stored', { err: error, responseId: id })
  })
}

interface Draft {
  readonly turn: ResponseTurn
  readonly userId: number
  readonly settings: Pick<Settings, 'StoredResponseDays'>
  readonly startedAt: number
  readonly id: string
}

/** What is known of a response before it ends. */
export function draftOf({ turn, userId, settings, startedAt, id }: Draft): Omit<NewResponse, 'content'> {
  return {
    userId,
    id,
    thread: turn.thread,
    account: undefined,
    previousId: turn.previousId,
    createdAt: new Date(startedAt),
    expiresAt: new Date(startedAt + settings.StoredResponseDays * DAY_MS),
    bytes: 2 * turn.sent.text.length,
  }
}

/** The parts of a turn that are stored: the rest of the request is not kept in memory. */
export function contentOf(turn: ResponseTurn) {
  return { input: turn.sent.body.input, echo: echoOf(turn) }
}

/** Every item of a conversation has an id. */
export function withId(item: JsonObject): JsonObject {
  const type = asText(item.type) || 'message'
  return { ...item, type, id: asText(item.id) || `${type === 'message' ? 'msg' : 'item'}_${newId()}` }
}

/** The last event of an interaction may have a blank list of steps. */
function withoutOutput({ steps: _steps, ...response }: JsonObject): JsonObject {
  return response
}

/** A whole response, or the one in the last event of a stream. */
function readResponse(last: LastBytes): JsonObject | undefined {
  if (typeof last !== 'string' && !(last instanceof Uint8Array)) return last
  const text = typeof last === 'string' ? last : Buffer.from(last).toString('utf8')
  if (text.trimStart().startsWith('{')) return parseJsonObject(text)
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.startsWith('data:'))
  for (const line of lines.toReversed()) {
    const event = parseJsonObject(line.slice('data:'.length))
    const response = asJsonObject(event?.response ?? event?.interaction)
    if (response) return response
  }
  return undefined
}

/**
 * Remembers which account stores a response, so that the next turn goes there. Called before the client sees the id. A
 * conversation belongs to the user whose request is the first to be served with it.
 */
export function rememberStored(
  affinity: Pick<SessionAffinity, 'setStored'>,
  { request, attempt, userId }: { request: RequestHead; attempt: ChatAttempt; userId: number },
): void {
  const { stored, dialect } = request
  // Converted or summarized: the provider stores nothing.
  if (!stored || attempt.summarizes || attempt.chatApi.dialect !== dialect) return
  const { route, lease, opening } = attempt
  const entry = { userId, channelId: route.channel.id, keyId: keyIdOf(lease.key), routed: route.routed }
  for (const id of [stored.conversationId, stored.storesResponse ? responseId(opening) : undefined]) {
    if (id !== undefined) affinity.setStored(id, entry)
  }
}

export function storedForm(
  { requestId }: Pick<ApiRequest, 'requestId'>,
  { dialect, stream, isBackground }: Pick<RequestHead, 'dialect' | 'stream' | 'isBackground'>,
  { route, lease, chatApi, opening, summarizes }: ChatAttempt,
): StoredForm {
  const ours = { id: turnFormat(dialect).idOf(requestId), account: undefined }
  if (isBackground || summarizes) return ours
  // Converted: the client knows it by our id.
  if (chatApi.dialect !== dialect || isRewritten(route.channel) || (stream && opening.kind === 'whole')) {
    return ours
  }
  const account = { channelId: route.channel.id, keyId: keyIdOf(lease.key), routed: route.routed }
  return { id: responseId(opening), account: chatApi.storesResponses ? account : undefined }
}

function responseId(opening: OpenedResponse): string | undefined {
  if (opening.kind === 'whole') return opening.canonical.id
  for (const { events } of opening.held) {
    for (const event of events) if (event.type === 'response-start') return event.id
  }
  return undefined
}
