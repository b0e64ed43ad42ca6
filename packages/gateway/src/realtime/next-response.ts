import { limitsOf } from '@tidegate/contract'
import { asList, asText, asJsonObject, type JsonObject } from '@tidegate/dialects'
import { audioInputTokens, NO_USAGE, type Usage } from '@tidegate/pricing'
import { estimateTokens } from '../tokens/estimate-tokens.ts'

/** Limits of models that are not in the catalog. */
const ASSUMED_MAX_OUTPUT = 4096
const ASSUMED_CONTEXT = 128_000
/** About the most tokens of an image. */
const IMAGE_TOKENS = 1_600
/** How many tokens a text may have beyond our estimate. */
const TEXT_ALLOWANCE = 1.5

interface Content {
  readonly text: number
  readonly audio: number
}

/** The session settings that determine the size of a response that the client does not describe. */
interface SessionTerms {
  readonly content: Content
  readonly outputLimit: number
  readonly hasAudio: boolean
  readonly respondsToSpeech: boolean
}

/** A response that was requested or began, and is not done. */
interface PendingResponse {
  id?: string
  readonly eventId: string
  /** The most that it uses. */
  readonly usage: Usage
}

/**
 * The most that the next response of a session can use. Every response reads the whole conversation again, so everything
 * that was sent or produced counts, up to the context window. What the client claims counts when it makes a response
 * larger; what makes it smaller counts once the provider confirms it.
 */
export class NextResponse {
  readonly isListed: boolean
  readonly #contextWindow: number
  /** The most output of one response. */
  readonly maxOutput: number
  #confirmed: SessionTerms
  /** From updates that the provider has not confirmed. */
  #claimed: SessionTerms[] = []
  #conversation: Content = EMPTY
  /** Audio that may become part of the conversation. */
  #uncommitted = 0
  #pending: PendingResponse[] = []

  constructor(model: string) {
    const limits = limitsOf(model)
    this.isListed = limits !== undefined
    this.#contextWindow = limits?.context ?? ASSUMED_CONTEXT
    this.maxOutput = limits?.maxOutput ?? ASSUMED_MAX_OUTPUT
    this.#confirmed = { content: EMPTY, outputLimit: this.maxOutput, hasAudio: true, respondsToSpeech: true }
  }

  /** Reads an event of the client. Returns true when it can make the next response larger. */
  readClient(event: JsonObject, bytesPerSecond: number): boolean {
    switch (event.type) {
      case 'session.update':
        this.#claimed.push(this.#termsOf(asJsonObject(event.session), this.#confirmed))
        return true
      case 'input_audio_buffer.append':
        this.#uncommitted += audioTokens(event.audio, bytesPerSecond)
        return true
      case 'input_audio_buffer.clear':
        return false
      case 'conversation.item.create':
        this.#conversation = sum(this.#conversation, contentOf(event.item, bytesPerSecond))
        return true
      case 'response.create':
        this.#conversation = sum(this.#conversation, contentOf(event.response, bytesPerSecond))
        return true
      default:
        return false
    }
  }

  /** The request is sent with this output limit. */
  addPending(event: JsonObject, outputLimit: number): void {
    this.#pending.push({
      eventId: asText(event.event_id),
      usage: this.maxUsage(outputLimit, asJsonObject(event.response)),
    })
  }

  readProvider(event: JsonObject): void {
    switch (event.type) {
      case 'session.created':
      case 'session.updated':
        this.#confirmed = this.#termsOf(asJsonObject(event.session), this.#confirmed)
        this.#claimed.shift()
        return
      case 'input_audio_buffer.committed':
        this.#conversation = sum(this.#conversation, { text: 0, audio: this.#uncommitted })
        this.#uncommitted = 0
        return
      case 'input_audio_buffer.cleared':
        this.#uncommitted = 0
        return
      case 'response.created':
        return this.#beginResponse(asText(asJsonObject(event.response)?.id))
      case 'error':
        return this.#dropPending(asText(asJsonObject(event.error)?.event_id))
    }
  }

  endResponse(id: string, usage: Usage): void {
    const at = this.#pending.findIndex((pending) => pending.id === id)
    this.#pending.splice(Math.max(0, at), 1)
    const produced = { text: usage.output + usage.reasoning, audio: usage.audioOutput }
    this.#conversation = sum(this.#conversation, produced)
  }

  /** A response is being produced, or will be. */
  get isResponding(): boolean {
    return this.#pending.length > 0
  }

  /** The highest output limit of a response that does not state one. */
  get outputLimit(): number {
    return Math.max(...this.#terms.map(({ outputLimit }) => outputLimit))
  }

  /** The most that pending responses use. */
  get pending(): readonly Usage[] {
    return this.#pending.map(({ usage }) => usage)
  }

  /** The approximate input of responses that began and did not end. */
  get unfinishedInput(): Usage {
    const began = this.#pending.filter(({ id }) => id !== undefined)
    const text = began.reduce((tokens, { usage }) => tokens + usage.input, 0)
    const audioInput = began.reduce((tokens, { usage }) => tokens + usage.audioInput, 0)
    return { ...NO_USAGE, input: Math.floor(text / TEXT_ALLOWANCE), audioInput, estimated: true }
  }

  /** The provider may start a response to speech without a request. */
  get mayRespondToSpeech(): boolean {
    return this.#uncommitted > 0 && this.#terms.some(({ respondsToSpeech }) => respondsToSpeech)
  }

  /** The most that one more response uses. */
  maxUsage(outputLimit: number, response?: JsonObject): Usage {
    const contents = this.#terms.map(({ content }) => content)
    const text = this.#conversation.text + Math.max(...contents.map((content) => content.text))
    const audio = Math.min(this.#contextWindow, this.#conversation.audio + this.#uncommitted)
    const stated = response && requestsAudio(response)
    const hasAudio = stated ?? this.#terms.some((terms) => terms.hasAudio)
    return {
      ...NO_USAGE,
      input: Math.min(text, this.#contextWindow - audio),
      audioInput: audio,
      ...(hasAudio ? { audioOutput: outputLimit } : { output: outputLimit }),
      estimated: true,
    }
  }

  get #terms(): readonly SessionTerms[] {
    return [this.#confirmed, ...this.#claimed]
  }

  #termsOf(session: JsonObject | undefined, before: SessionTerms): SessionTerms {
    if (!session) return before
    const { instructions, tools, turn_detection: beta } = session
    const content = contentOf([instructions, tools], 1)
    const detection = beta === undefined ? asJsonObject(asJsonObject(session.audio)?.input)?.turn_detection : beta
    const isStated = instructions !== undefined || tools !== undefined
    return {
      content: isStated ? { text: Math.max(content.text, before.content.text), audio: 0 } : before.content,
      outputLimit: statesLimit(session) ? Math.min(limitIn(session) ?? Infinity, this.maxOutput) : before.outputLimit,
      hasAudio: requestsAudio(session) ?? before.hasAudio,
      respondsToSpeech:
        detection === undefined
          ? before.respondsToSpeech
          : detection !== null && asJsonObject(detection)?.create_response !== false,
    }
  }

  #beginResponse(id: string): void {
    const requested = this.#pending.find((pending) => pending.id === undefined)
    if (requested) requested.id = id
    else this.#pending.push({ id, eventId: '', usage: this.maxUsage(this.outputLimit) })
  }

  /** A request that the provider rejects leads to no response, and an update that it rejects changes nothing. */
  #dropPending(eventId: string): void {
    const at = this.#pending.findIndex((pending) => pending.id === undefined && pending.eventId === eventId)
    if (at >= 0) this.#pending.splice(at, 1)
    else this.#claimed.shift()
  }
}

const EMPTY: Content = { text: 0, audio: 0 }

/** Also when it states that there is none. */
export function statesLimit(json: JsonObject): boolean {
  return json.max_output_tokens !== undefined || json.max_response_output_tokens !== undefined
}

/** The output limit that an object states; `inf` is none. */
export function limitIn(json: JsonObject): number | undefined {
  const limit = json.max_output_tokens ?? json.max_response_output_tokens
  return typeof limit === 'number' && limit >= 1 ? Math.floor(limit) : undefined
}

/** Whether an object requests audio; undefined when it does not state it. */
function requestsAudio(json: JsonObject): boolean | undefined {
  const modalities = asList(json.output_modalities ?? json.modalities)
  return modalities.length === 0 ? undefined : modalities.includes('audio')
}

function audioTokens(audio: unknown, bytesPerSecond: number): number {
  return typeof audio === 'string' ? audioInputTokens((audio.length * 3) / 4 / bytesPerSecond) : 0
}

/** The texts, audio and images of an item, of a request for a response, or of the instructions and tools of a session. */
function contentOf(value: unknown, bytesPerSecond: number): Content {
  const texts: string[] = []
  let audio = 0
  let images = 0
  const rest: unknown[] = [value]
  while (rest.length > 0) {
    const next = rest.pop()
    if (typeof next === 'string') texts.push(next)
    else if (Array.isArray(next)) for (const member of next) rest.push(member)
    else if (typeof next === 'object' && next !== null) {
      const json = next as JsonObject
      for (const [name, member] of Object.entries(json)) {
        if (json.type === 'input_audio' && name === 'audio') audio += audioTokens(member, bytesPerSecond)
        else if (json.type === 'input_image' && name === 'image_url') images += 1
        else rest.push(name, member)
      }
    }
  }
  return { text: Math.ceil(estimateTokens(texts) * TEXT_ALLOWANCE) + images * IMAGE_TOKENS, audio }
}

function sum(one: Content, other: Content): Content {
  return { text: one.text + other.text, audio: one.audio + other.audio }
}
