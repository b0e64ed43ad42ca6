import { asTree, type Tree } from '@tidegate/dialects'
import { addUsage, heardTokens, NO_USAGE, spokenTokens, type Usage } from '@tidegate/pricing'

/** Bytes of a second: 16 bits at 24,000 samples, or 8 bits at 8,000 as telephones have them. */
const BYTES_PER_SECOND = { pcm16: 48_000, g711_ulaw: 8_000, g711_alaw: 8_000 } as const

/** Letters for a token, where words must be counted here. */
const LETTERS_PER_TOKEN = 3

/** What a session used so far: by the vendor's counts, and by our own where an answer came without. */
export class SessionUsage {
  #total: Usage = NO_USAGE
  #heard = 0
  #spoken = 0
  #wordsOut = 0
  #heardFormat: keyof typeof BYTES_PER_SECOND = 'pcm16'
  #spokenFormat: keyof typeof BYTES_PER_SECOND = 'pcm16'

  get total(): Usage {
    return this.#total
  }

  /** A message of the client's. */
  hearClient(event: Tree): void {
    if (event.type === 'session.update') this.#readFormats(asTree(event.session))
    if (event.type === 'input_audio_buffer.append') this.#heard += bytesOf(event.audio)
  }

  /** A message of the vendor's. True when an answer is complete: the moment to settle accounts. */
  hearVendor(event: Tree): boolean {
    switch (event.type) {
      case 'session.created':
      case 'session.updated':
        this.#readFormats(asTree(event.session))
        return false
      case 'response.audio.delta':
      case 'response.output_audio.delta':
        this.#spoken += bytesOf(event.delta)
        return false
      case 'response.text.delta':
      case 'response.output_text.delta':
        this.#wordsOut += typeof event.delta === 'string' ? event.delta.length : 0
        return false
      case 'response.done':
        this.#total = addUsage(this.#total, countsIn(asTree(asTree(event.response)?.usage)) ?? this.#counted())
        this.#heard = this.#spoken = this.#wordsOut = 0
        return true
      default:
        return false
    }
  }

  /** Includes what was said since the last answer that was complete. */
  get whole(): Usage {
    return this.#heard + this.#spoken + this.#wordsOut === 0 ? this.#total : addUsage(this.#total, this.#counted())
  }

  #counted(): Usage {
    return {
      ...NO_USAGE,
      audioIn: heardTokens(this.#heard / BYTES_PER_SECOND[this.#heardFormat]),
      audioOut: spokenTokens(this.#spoken / BYTES_PER_SECOND[this.#spokenFormat]),
      output: Math.ceil(this.#wordsOut / LETTERS_PER_TOKEN),
      estimated: true,
    }
  }

  #readFormats(session: Tree | undefined): void {
    this.#heardFormat = formatOf(session?.input_audio_format) ?? this.#heardFormat
    this.#spokenFormat = formatOf(session?.output_audio_format) ?? this.#spokenFormat
  }
}

function formatOf(value: unknown): keyof typeof BYTES_PER_SECOND | undefined {
  return typeof value === 'string' && Object.hasOwn(BYTES_PER_SECOND, value)
    ? (value as keyof typeof BYTES_PER_SECOND)
    : undefined
}

/** Of a text in base64. */
function bytesOf(audio: unknown): number {
  return typeof audio === 'string' ? Math.floor((audio.length * 3) / 4) : 0
}

function countsIn(usage: Tree | undefined): Usage | undefined {
  if (!usage) return undefined
  const read = (tree: Tree | undefined, name: string) => {
    const value = tree?.[name]
    return typeof value === 'number' && value > 0 ? Math.floor(value) : 0
  }
  const heard = asTree(usage.input_token_details)
  const said = asTree(usage.output_token_details)
  const cached = asTree(heard?.cached_tokens_details)
  const audioIn = read(heard, 'audio_tokens')
  const audioOut = read(said, 'audio_tokens')
  const textIn = Math.max(0, read(usage, 'input_tokens') - audioIn)
  const cacheRead = Math.min(textIn, cached ? read(cached, 'text_tokens') : read(heard, 'cached_tokens'))
  return {
    ...NO_USAGE,
    input: textIn - cacheRead,
    cacheRead,
    audioIn,
    output: Math.max(0, read(usage, 'output_tokens') - audioOut),
    audioOut,
  }
}
