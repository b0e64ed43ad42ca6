import { ApiError, type ErrorCode } from '@tidegate/contract'
import {
  asJsonObjects,
  type DialectId,
  type JsonObject,
  portableItem,
  readInputItems,
  readInputSteps,
  type RequestHead,
} from '@tidegate/dialects'
import { type EventFormat, INTERACTION_EVENTS, RESPONSE_EVENTS } from './event-format.ts'

/** How a protocol writes stored turns. */
export interface TurnFormat {
  /** Identifies stored objects of the protocol. */
  readonly object: 'response' | 'interaction'
  /** Member of a request with the id of the turn before. */
  readonly previousMember: string
  readonly previousNotFound: ErrorCode
  readonly notFound: ErrorCode
  idOf(requestId: string): string
  /** The items of `input` in any of its forms. */
  readInput(input: unknown): JsonObject[]
  readOutput(response: JsonObject): JsonObject[]
  /** An item of an earlier turn for any account. Undefined for one that only its account can read. */
  portable(item: JsonObject): JsonObject | undefined
  /** A response without output, in the state that `end` describes. */
  withoutOutput(head: { readonly id: string; readonly model: string; readonly createdAt: number }): JsonObject
  /** Members that state why a response failed. */
  failure(error: { readonly code: string; readonly message: string }): JsonObject
  /** Members of a response that repeat the request. */
  echo(turn: EchoedTurn): JsonObject
  deleted(id: string): JsonObject
  readonly events: EventFormat
}

interface EchoedTurn {
  readonly sent: Pick<RequestHead, 'body' | 'isBackground'>
  readonly previousId: string | undefined
  readonly conversationId: string | undefined
  /** Whether the response is stored. */
  readonly stores: boolean
}

const RESPONSES: TurnFormat = {
  object: 'response',
  previousMember: 'previous_response_id',
  previousNotFound: 'previous_response_not_found',
  notFound: 'response_not_found',
  idOf: (requestId) => `resp_${requestId}`,
  readInput: readInputItems,
  readOutput: ({ output }) => asJsonObjects(output),
  portable: portableItem,
  withoutOutput: ({ id, model, createdAt }) => ({
    id,
    object: 'response',
    created_at: createdAt,
    model,
    output: [],
    usage: null,
    incomplete_details: null,
    error: null,
  }),
  failure: (error) => ({ error }),
  echo: ({ sent: { body, isBackground }, previousId, conversationId, stores }) => ({
    previous_response_id: previousId ?? null,
    ...(conversationId !== undefined && { conversation: { id: conversationId } }),
    store: stores,
    metadata: body.metadata ?? {},
    background: isBackground === true,
  }),
  deleted: (id) => ({ id, object: 'response', deleted: true }),
  events: RESPONSE_EVENTS,
}

const INTERACTIONS: TurnFormat = {
  object: 'interaction',
  previousMember: 'previous_interaction_id',
  previousNotFound: 'interaction_not_found',
  notFound: 'interaction_not_found',
  idOf: (requestId) => `v1_${requestId}`,
  readInput: readInputSteps,
  readOutput: ({ steps }) => asJsonObjects(steps),
  portable: (step) => step,
  withoutOutput({ id, model, createdAt }) {
    const created = new Date(createdAt * 1000).toISOString().replace('.000Z', 'Z')
    return { id, object: 'interaction', model, created, updated: created, steps: [] }
  },
  failure: (error) => ({ errors: [error] }),
  echo: ({ sent: { body, isBackground }, previousId }) => ({
    ...(previousId !== undefined && { previous_interaction_id: previousId }),
    ...(body.labels !== undefined && { labels: body.labels }),
    ...(isBackground && { background: true }),
  }),
  deleted: () => ({}),
  events: INTERACTION_EVENTS,
}

const FORMATS: Partial<Record<DialectId, TurnFormat>> = {
  'openai-responses': RESPONSES,
  'gemini-interactions': INTERACTIONS,
}

/** Whether turns of a protocol are stored. */
export function storesTurns(dialect: DialectId): boolean {
  return FORMATS[dialect] !== undefined
}

export function turnFormat(dialect: DialectId): TurnFormat {
  const format = FORMATS[dialect]
  if (!format) throw new ApiError('internal_error', {}, { cause: new Error(`${dialect} stores no turns`) })
  return format
}
