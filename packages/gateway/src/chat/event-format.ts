import { asJsonObject, asJsonObjects, asText, type JsonObject } from '@tidegate/dialects'

/** How a protocol writes the stream of a background response, which has numbered events. */
export interface EventFormat {
  /** The query parameter with the last event that a client has. */
  readonly resumedAfter: string
  /** The number in that parameter; undefined if it is not one. */
  numberIn(parameter: string): number | undefined
  /** The events of a response that waits to be served. */
  starts(response: JsonObject): readonly JsonObject[]
  /** The event to store for one of the served stream. Undefined for one that `starts` or `end` writes. */
  served(event: JsonObject): JsonObject | undefined
  /** `identity` are the members that all response objects of the stream have. */
  numbered(event: JsonObject, number: number, identity: JsonObject): JsonObject
  /** The last event of a response that ended in this way. */
  end(response: JsonObject): JsonObject
  isEnd(event: JsonObject): boolean
  frame(event: JsonObject): string
}

const STARTS: readonly unknown[] = ['response.created', 'response.queued']
const FAILURES = new Set<unknown>(['error', 'response.failed'])
const ENDS = new Set<unknown>(['response.completed', 'response.incomplete', 'response.failed'])

export const RESPONSE_EVENTS: EventFormat = {
  resumedAfter: 'starting_after',
  numberIn: (parameter) => (/^\d{1,9}$/.test(parameter) ? Number(parameter) : undefined),
  starts: (response) => STARTS.map((type) => ({ type, response })),
  served: (event) => (STARTS.includes(event.type) || FAILURES.has(event.type) ? undefined : event),
  numbered(event, number, identity) {
    const response = asJsonObject(event.response)
    return { ...event, sequence_number: number, ...(response && { response: { ...response, ...identity } }) }
  },
  end(response) {
    const isWhole = response.status === 'completed' || response.status === 'failed'
    return { type: `response.${isWhole ? String(response.status) : 'incomplete'}`, response }
  },
  isEnd: ({ type }) => ENDS.has(type),
  frame: (event) => frameOf(event.type, event),
}

const STATUS_UPDATE = 'interaction.status_update'
const COMPLETED = 'interaction.completed'

export const INTERACTION_EVENTS: EventFormat = {
  resumedAfter: 'last_event_id',
  numberIn: (parameter) => (/^e\d{1,9}$/.test(parameter) ? Number(parameter.slice(1)) : undefined),
  starts: (interaction) => [{ event_type: 'interaction.created', interaction: withoutSteps(interaction) }],
  served(event) {
    if (event.event_type === 'error') return undefined
    return event.event_type === 'interaction.created'
      ? { event_type: STATUS_UPDATE, status: 'in_progress', interaction_id: '' }
      : event
  },
  numbered(event, number, identity) {
    const { event_type, event_id: _eventId, ...rest } = event
    const interaction = asJsonObject(event.interaction)
    return {
      event_type,
      event_id: `e${number}`,
      ...rest,
      ...(event_type === STATUS_UPDATE && { interaction_id: identity.id }),
      ...(interaction && { interaction: { ...interaction, ...identity } }),
    }
  },
  end({ error, ...interaction }) {
    if (interaction.status !== 'failed') return { event_type: COMPLETED, interaction: withoutSteps(interaction) }
    return { event_type: 'error', error: asJsonObject(error) ?? asJsonObjects(interaction.errors)[0] ?? {} }
  },
  isEnd: ({ event_type: type }) => type === COMPLETED || type === 'error',
  frame: (event) => frameOf(event.event_type, event) + (event.event_type === COMPLETED ? END_MARK : ''),
}

const END_MARK = 'event: done\ndata: [DONE]\n\n'

/** The steps have events of their own. */
function withoutSteps({ steps: _steps, ...interaction }: JsonObject): JsonObject {
  return interaction
}

function frameOf(type: unknown, event: JsonObject): string {
  return `event: ${asText(type)}\ndata: ${JSON.stringify(event)}\n\n`
}
