import { ByteReader, NameTable } from '../../json/byte-reader.ts'
import { PER_MESSAGE, PER_NAME, REPLY_PRIMER, TOO_MANY_TOKENS } from './read-request.ts'

/** A usual chat request: text messages, and options that change neither the price nor the prompt. */
export interface ScannedRequest {
  /** Where the model name is: ASCII without escapes, with its quotes. */
  readonly modelStart: number
  readonly modelEnd: number
  /** Where the last member ends: before whitespace and the closing brace. */
  readonly end: number
  readonly stream: boolean
  readonly hasStreamOptions: boolean
  readonly includeUsage: boolean
  readonly maxTokens: number
  /** The body has `max_tokens`, which some models reject. */
  readonly hasMaxTokens: boolean
  /** The same estimate as for the parsed request. */
  readonly promptTokens: number
  /** Where the texts of the prompt are: start, end without quotes, and 1 if the text is encoded, else 0. */
  readonly texts: readonly number[]
  /** A string has characters beyond ASCII: the caller checks that the bytes are valid UTF-8. */
  readonly hasWideCharacters: boolean
}

/** Members that are read. Their values must have the usual type. */
const READ = ['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens'] as const
/** Members that are forwarded. Adapters of providers may change them: `ChatApi.keepsPlain` says where none does. */
const FORWARDED = [
  'temperature',
  'top_p',
  'stop',
  'seed',
  'user',
  'presence_penalty',
  'frequency_penalty',
  'logprobs',
  'top_logprobs',
]
const MEMBERS = new NameTable([...READ, ...FORWARDED])
const MESSAGE_MEMBERS = new NameTable(['role', 'content', 'name'])
const PART_MEMBERS = new NameTable(['type', 'text'])
const STREAM_MEMBERS = new NameTable(['include_usage'])
const PART_TYPES = new NameTable(['text'])

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const LOWER_N = 110
const LOWER_T = 116
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
/** `max_tokens` with more digits is left to the parser. */
const MAX_DIGITS = 9

/**
 * Reads a usual request in one pass over its bytes. Undefined for every other request, also for an invalid one: it is
 * parsed. In particular, an unknown member, a member given twice and an escaped name are left to the parser, because
 * a provider may read them differently.
 */
export function scanRequest(bytes: Uint8Array): ScannedRequest | undefined {
  const scan = new RequestScan(bytes)
  return scan.read() ? scan.result() : undefined
}

class RequestScan extends ByteReader {
  #modelStart = 0
  #modelEnd = 0
  #end = 0
  #messages = 0
  #otherTokens = REPLY_PRIMER
  #stream = false
  #hasStreamOptions = false
  #includeUsage = false
  #maxTokens = 0
  #hasMaxTokens = false
  #promptQuarters = 0
  readonly #texts: number[] = []

  read(): boolean {
    if (!this.#readMembers(MEMBERS, (member) => this.#readMember(member))) return false
    return this.peek() === -1 && this.#modelEnd - this.#modelStart > 2 && this.#messages > 0
  }

  result(): ScannedRequest {
    return {
      modelStart: this.#modelStart,
      modelEnd: this.#modelEnd,
      end: this.#end,
      stream: this.#stream,
      hasStreamOptions: this.#hasStreamOptions,
      includeUsage: this.#includeUsage,
      maxTokens: this.#maxTokens,
      hasMaxTokens: this.#hasMaxTokens,
      promptTokens: Math.ceil(this.#promptQuarters / 4) + this.#otherTokens,
      texts: this.#texts,
      hasWideCharacters: this.hasWideCharacters,
    }
  }

  #readMember(member: number): boolean {
    switch (READ[member]) {
      case 'model':
        return this.#readModel()
      case 'messages':
        return this.#readMessages()
      case 'stream': {
        this.#stream = this.peek() === LOWER_T
        return this.readLiteral()
      }
      case 'stream_options':
        this.#hasStreamOptions = true
        return this.#readMembers(STREAM_MEMBERS, () => this.#readIncludeUsage())
      case 'max_tokens':
        this.#hasMaxTokens = true
        return this.#readLimit()
      case 'max_completion_tokens':
        return this.#readLimit()
      default:
        return this.#readFlat()
    }
  }

  #readModel(): boolean {
    if (this.peek() !== QUOTE) return false
    this.#modelStart = this.at
    if (!this.readString() || this.isEncoded) return false
    this.#modelEnd = this.at
    return true
  }

  #readIncludeUsage(): boolean {
    this.#includeUsage = this.peek() === LOWER_T
    return this.readLiteral()
  }

  #readLimit(): boolean {
    this.peek()
    const start = this.at
    if (!this.readNumber() || this.at - start > MAX_DIGITS) return false
    let tokens = 0
    for (let at = start; at < this.at; at += 1) {
      const digit = this.bytes[at]! - 48
      if (digit < 0 || digit > 9) return false
      tokens = tokens * 10 + digit
    }
    this.#maxTokens = Math.max(this.#maxTokens, tokens)
    return tokens < TOO_MANY_TOKENS
  }

  #readMessages(): boolean {
    if (!this.take(OPEN_BRACKET)) return false
    do {
      this.#messages += 1
      this.#otherTokens += PER_MESSAGE
      if (!this.#readMembers(MESSAGE_MEMBERS, (member) => this.#readMessageMember(member))) return false
    } while (this.take(COMMA))
    return this.take(CLOSE_BRACKET)
  }

  #readMessageMember(member: number): boolean {
    if (member === 2) this.#otherTokens += PER_NAME
    if (member !== 1 || this.peek() === QUOTE) return this.#readPromptText()
    if (this.peek() === LOWER_N) return this.readLiteral()
    if (!this.take(OPEN_BRACKET)) return false
    if (this.take(CLOSE_BRACKET)) return true
    do {
      if (!this.#readMembers(PART_MEMBERS, (name) => (name === 0 ? this.#readPartType() : this.#readPromptText()))) {
        return false
      }
    } while (this.take(COMMA))
    return this.take(CLOSE_BRACKET)
  }

  #readPartType(): boolean {
    this.peek()
    const start = this.at + 1
    return this.readString() && PART_TYPES.find(this.bytes, start, this.at - 1) === 0
  }

  #readPromptText(): boolean {
    const before = this.quarters
    this.peek()
    const start = this.at + 1
    if (!this.readString()) return false
    this.#promptQuarters += this.quarters - before
    this.#texts.push(start, this.at - 1, this.isEncoded ? 1 : 0)
    return true
  }

  /** A value without members. */
  #readFlat(): boolean {
    if (this.peek() === OPEN_BRACE) return false
    if (!this.take(OPEN_BRACKET)) return this.readValue()
    if (this.take(CLOSE_BRACKET)) return true
    do {
      const first = this.peek()
      if (first === OPEN_BRACE || first === OPEN_BRACKET || !this.readValue()) return false
    } while (this.take(COMMA))
    return this.take(CLOSE_BRACKET)
  }

  /** Reads an object that has only names of the table, each at most once. */
  #readMembers(names: NameTable, readValue: (member: number) => boolean): boolean {
    if (!this.take(OPEN_BRACE)) return false
    if (this.take(CLOSE_BRACE)) return true
    let seen = 0
    do {
      this.peek()
      const start = this.at + 1
      if (!this.readString()) return false
      const member = names.find(this.bytes, start, this.at - 1)
      if (member === -1 || (seen & (1 << member)) !== 0 || !this.take(COLON) || !readValue(member)) return false
      this.#end = this.at
      seen |= 1 << member
    } while (this.take(COMMA))
    return this.take(CLOSE_BRACE)
  }
}
