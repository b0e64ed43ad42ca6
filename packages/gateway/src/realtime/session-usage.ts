import { NO_TOKENS, type UsagePart, type UsageReport } from '@tidegate/contract'
import { asText, asJsonObject, readRealtimeUsage, type JsonObject } from '@tidegate/dialects'
import { NextResponse } from './next-response.ts'
import { isPlausible } from '../settle/plausible-usage.ts'
import {
  addUsage,
  audioInputTokens,
  NO_USAGE,
  audioOutputTokens,
  transcriptionTokens,
  type Usage,
} from '@tidegate/pricing'

/** Bytes per second: 16 bits at 24 kHz, or 8 bits at 8 kHz for telephony. */
const BYTES_PER_SECOND = {
  pcm16: 48_000,
  g711_ulaw: 8_000,
  g711_alaw: 8_000,
  'audio/pcm': 48_000,
  'audio/pcmu': 8_000,
  'audio/pcma': 8_000,
} as const

/** Characters per token, where text is counted here. */
const CHARACTERS_PER_TOKEN = 3

/** The usage of a session so far: the provider's counts, and our own for responses without counts. */
export class SessionUsage {
  #total: Usage = NO_USAGE
  #transcribed: UsagePart | undefined
  #transcriber: string | undefined
  #inputBytes = 0
  #outputBytes = 0
  #outputCharacters = 0
  #inputFormat: keyof typeof BYTES_PER_SECOND = 'pcm16'
  #outputFormat: keyof typeof BYTES_PER_SECOND = 'pcm16'
  readonly #maxTokens: number
  #implausible: UsageReport | undefined
  readonly #next: NextResponse

  /** `maxTokens` is the most that one response can report. */
  constructor(maxTokens = Infinity, next = new NextResponse('')) {
    this.#maxTokens = maxTokens
    this.#next = next
  }

  /** Usage that the provider reported and that the model cannot have used. It is not billed. */
  get implausible(): UsageReport | undefined {
    return this.#implausible
  }

  get total(): Usage {
    return this.#withTranscription(this.#total)
  }

  /** Reads an event of the client. Returns true when it makes the next response larger. */
  readClient(event: JsonObject): boolean {
    if (event.type === 'session.update') this.#readFormats(asJsonObject(event.session))
    if (event.type === 'input_audio_buffer.append') this.#inputBytes += bytesOf(event.audio)
    return this.#next.readClient(event, BYTES_PER_SECOND[this.#inputFormat])
  }

  /** Reads an event of the provider. Returns true when a response is complete and credit must be checked. */
  readProvider(event: JsonObject): boolean {
    this.#next.readProvider(event)
    switch (event.type) {
      case 'session.created':
      case 'session.updated':
        this.#readFormats(asJsonObject(event.session))
        return false
      case 'response.audio.delta':
      case 'response.output_audio.delta':
        this.#outputBytes += bytesOf(event.delta)
        return false
      case 'response.text.delta':
      case 'response.output_text.delta':
        this.#outputCharacters += typeof event.delta === 'string' ? event.delta.length : 0
        return false
      case 'response.done': {
        const response = asJsonObject(event.response)
        const usage = this.#readReported(response) ?? this.#estimate()
        this.#total = addUsage(this.#total, usage)
        this.#next.endResponse(asText(response?.id), usage)
        this.#inputBytes = this.#outputBytes = this.#outputCharacters = 0
        return true
      }
      case 'conversation.item.input_audio_transcription.completed':
        this.#addTranscription(asJsonObject(event.usage))
        return true
      default:
        return false
    }
  }

  /** Includes what was sent and received since the last complete response. */
  get whole(): Usage {
    const unfinished = this.#next.unfinishedInput
    const isCounted =
      this.#inputBytes + this.#outputBytes + this.#outputCharacters + unfinished.input + unfinished.audioInput === 0
    if (isCounted) return this.#withTranscription(this.#total)
    const counted = this.#estimate()
    // The received audio is part of the input of an unfinished response.
    const audioInput = Math.max(counted.audioInput, unfinished.audioInput)
    return this.#withTranscription(addUsage(this.#total, { ...counted, input: unfinished.input, audioInput }))
  }

  /** Another model transcribes the client's audio, at its own price. */
  #addTranscription(usage: JsonObject | undefined): void {
    if (!usage) return
    const part = transcriptionPart(usage, this.#transcriber)
    if (!this.#isPlausible(part)) return
    const known = this.#transcribed
    this.#transcribed = known
      ? { ...addUsage({ ...known, estimated: false }, { ...part, estimated: false }), ...mergeParts(known, part) }
      : part
  }

  #readReported(response: JsonObject | undefined): Usage | undefined {
    const usage = asJsonObject(response?.usage)
    const report = usage && readRealtimeUsage(usage)
    return report && this.#isPlausible(report) ? { ...report, estimated: false } : undefined
  }

  #isPlausible(report: UsageReport): boolean {
    if (isPlausible(report, { maxTokens: this.#maxTokens, promptTokens: 0 })) return true
    this.#implausible = report
    return false
  }

  #withTranscription(usage: Usage): Usage {
    const part = this.#transcribed
    if (!part) return usage
    const sum = addUsage(usage, { ...part, estimated: false })
    return { ...sum, terms: { ...usage.terms, parts: [usage, part] } }
  }

  #estimate(): Usage {
    return {
      ...NO_USAGE,
      audioInput: audioInputTokens(this.#inputBytes / BYTES_PER_SECOND[this.#inputFormat]),
      audioOutput: audioOutputTokens(this.#outputBytes / BYTES_PER_SECOND[this.#outputFormat]),
      output: Math.ceil(this.#outputCharacters / CHARACTERS_PER_TOKEN),
      estimated: true,
    }
  }

  #readFormats(session: JsonObject | undefined): void {
    const input = asJsonObject(asJsonObject(session?.audio)?.input)
    const transcription = asJsonObject(session?.input_audio_transcription) ?? asJsonObject(input?.transcription)
    this.#transcriber = asText(transcription?.model) || this.#transcriber
    const output = asJsonObject(asJsonObject(session?.audio)?.output)
    this.#inputFormat = formatOf(session?.input_audio_format ?? asJsonObject(input?.format)?.type) ?? this.#inputFormat
    this.#outputFormat =
      formatOf(session?.output_audio_format ?? asJsonObject(output?.format)?.type) ?? this.#outputFormat
  }
}

function formatOf(value: unknown): keyof typeof BYTES_PER_SECOND | undefined {
  return typeof value === 'string' && Object.hasOwn(BYTES_PER_SECOND, value)
    ? (value as keyof typeof BYTES_PER_SECOND)
    : undefined
}

/** The size of base64 data. */
function bytesOf(audio: unknown): number {
  return typeof audio === 'string' ? Math.floor((audio.length * 3) / 4) : 0
}

/** No session is longer than a day. */
const MAX_SECONDS = 86_400

/** Tokens, or seconds where the model is priced by them. */
function transcriptionPart(usage: JsonObject, model: string | undefined): UsagePart {
  const named = model === undefined ? {} : { model }
  if (usage.type !== 'duration') return { ...readRealtimeUsage(usage), ...named }
  const seconds = typeof usage.seconds === 'number' && usage.seconds > 0 ? Math.min(MAX_SECONDS, usage.seconds) : 0
  const input = transcriptionTokens(seconds) // for models priced by ratios
  return { ...NO_TOKENS, input, ...named, fees: [{ fee: 'audioSecond', count: seconds }] }
}

function mergeParts(one: UsagePart, other: UsagePart): Pick<UsagePart, 'model' | 'fees'> {
  const seconds = [one, other].flatMap(({ fees = [] }) => fees).reduce((sum, { count }) => sum + count, 0)
  const model = other.model ?? one.model
  return {
    ...(model !== undefined && { model }),
    ...(seconds > 0 && { fees: [{ fee: 'audioSecond', count: seconds }] }),
  }
}
