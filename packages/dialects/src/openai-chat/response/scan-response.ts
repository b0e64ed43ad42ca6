import type { UsageReport } from '@tidegate/contract'
import { ByteReader, NameTable } from '../../json/byte-reader.ts'
import { asJsonObject } from '../../json/json-object.ts'
import { readChatUsage } from '../../openai-wire/usage.ts'

const MEMBERS = new NameTable(['error', 'choices', 'usage', 'service_tier'])
const CHOICE_MEMBERS = new NameTable(['finish_reason', 'message', 'delta', 'usage'])
const [ERROR, CHOICES, USAGE, SERVICE_TIER] = [0, 1, 2, 3]
const [FINISH_REASON, , DELTA, CHOICE_USAGE] = [0, 1, 2, 3]

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const LOWER_N = 110
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/**
 * Reads the usage of a whole response that is forwarded unchanged, in one pass over its bytes. Undefined unless the
 * response is complete: no error, finished choices, and usage. Then it is decoded.
 */
export function scanResponse(bytes: Uint8Array, decode: DecodeRange): UsageReport | undefined {
  const scan = new ResponseScan(bytes)
  return scan.read() ? scan.usage(decode) : undefined
}

/** Decodes a range of the response, which is ASCII. */
type DecodeRange = (start: number, end: number) => string

class ResponseScan extends ByteReader {
  #usageStart = 0
  #usageEnd = 0
  #tierStart = 0
  #tierEnd = 0
  #isFinished = false

  read(): boolean {
    return this.#readMembers(MEMBERS, (member) => this.#readMember(member)) && this.peek() === -1 && this.#isFinished
  }

  usage(decode: DecodeRange): UsageReport | undefined {
    const parse = (start: number, end: number): unknown => (start === end ? undefined : JSON.parse(decode(start, end)))
    const usage = asJsonObject(parse(this.#usageStart, this.#usageEnd))
    return usage && readChatUsage({ service_tier: parse(this.#tierStart, this.#tierEnd) }, usage)
  }

  #readMember(member: number): boolean {
    const start = this.at
    switch (member) {
      case ERROR:
        return this.peek() === LOWER_N && this.readLiteral()
      case CHOICES:
        return this.#readChoices()
      case USAGE:
        if (!this.#readNarrow()) return false
        this.#usageStart = start
        this.#usageEnd = this.at
        return true
      case SERVICE_TIER:
        if (!this.#readNarrow()) return false
        this.#tierStart = start
        this.#tierEnd = this.at
        return true
      default:
        return this.readValue()
    }
  }

  /** A short value in ASCII. */
  #readNarrow(): boolean {
    const start = this.at
    if (!this.readValue() || this.at - start > MAX_NARROW) return false
    for (let at = start; at < this.at; at += 1) if (this.bytes[at]! >= 0x80) return false
    return true
  }

  /** Every choice has a finish reason, so the response is not empty. */
  #readChoices(): boolean {
    if (!this.take(OPEN_BRACKET)) return false
    do {
      let isFinished = false
      const isRead = this.#readMembers(CHOICE_MEMBERS, (member) => {
        if (member === DELTA || member === CHOICE_USAGE) return false
        if (member !== FINISH_REASON) return this.readValue()
        const start = this.peek() === QUOTE ? this.at : -1
        if (start === -1 || !this.readString()) return false
        isFinished = this.at - start > 2
        return true
      })
      if (!isRead || !isFinished) return false
    } while (this.take(COMMA))
    this.#isFinished = true
    return this.take(CLOSE_BRACKET)
  }

  /** Reads an object. Known names may occur once, and no name may be escaped. */
  #readMembers(names: NameTable, readValue: (member: number) => boolean): boolean {
    if (!this.take(OPEN_BRACE)) return false
    let seen = 0
    do {
      this.peek()
      const start = this.at + 1
      if (!this.readString() || this.isEncoded) return false
      const member = names.find(this.bytes, start, this.at - 1)
      if (member !== -1) {
        if ((seen & (1 << member)) !== 0) return false
        seen |= 1 << member
      }
      if (!this.take(COLON)) return false
      this.peek()
      if (!readValue(member)) return false
    } while (this.take(COMMA))
    return this.take(CLOSE_BRACE)
  }
}

/** Usage objects of providers have up to 1 KB. */
const MAX_NARROW = 8 * 1024
