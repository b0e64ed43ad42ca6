import type { ToolCallPart } from '../canonical/index.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../json/json-object.ts'
import { endOfString, endOfValue, skipSpace } from '../json/patch-members.ts'

/** What each `tool_use` block has as its input, byte for byte; found by the block as it was parsed. */
export type ToolInputs = ReadonlyMap<unknown, string>

const NO_INPUTS: ToolInputs = new Map()

/**
 * The inputs of a request's calls as they were written. Numbers beyond what a double holds, `1.0`, the order of names
 * and escapes are lost by parsing, so they are cut out of the text instead. It is gone through once.
 */
export function sliceRequestInputs(text: string, { messages }: JsonObject): ToolInputs {
  const list = asList(messages)
  if (!list.some((message) => asList(asJsonObject(message)?.content).some(isCall))) return NO_INPUTS
  const found = new Map<unknown, string>()
  walkMembers(text, skipSpace(text, 0), (name, at) => {
    if (name !== 'messages') return undefined
    return walkItems(text, at, (index, item) => {
      const { content } = asJsonObject(list[index]) ?? {}
      return walkMembers(text, item, (member, value) =>
        member === 'content' ? walkBlocks(text, value, asList(content), found) : undefined,
      )
    })
  })
  return found
}

/** The same for a whole answer. */
export function sliceResponseInputs(text: string, { content }: JsonObject): ToolInputs {
  const blocks = asList(content)
  if (!blocks.some(isCall)) return NO_INPUTS
  const found = new Map<unknown, string>()
  walkMembers(text, skipSpace(text, 0), (name, at) =>
    name === 'content' ? walkBlocks(text, at, blocks, found) : undefined,
  )
  return found
}

/** The same for the event that starts a block. */
export function sliceEventInput(text: string): string {
  let found = ''
  walkMembers(text, skipSpace(text, 0), (name, at) =>
    name === 'content_block'
      ? walkMembers(
          text,
          at,
          captureInput(text, (input) => (found = input)),
        )
      : undefined,
  )
  return found
}

export function toolArguments(block: JsonObject, inputs: ToolInputs): string {
  if (block.input === undefined || block.input === null) return '{}'
  return inputs.get(block) ?? JSON.stringify(block.input)
}

function walkBlocks(text: string, start: number, blocks: readonly unknown[], found: Map<unknown, string>) {
  return walkItems(text, start, (index, item) => {
    const block = blocks[index]
    return isCall(block)
      ? walkMembers(
          text,
          item,
          captureInput(text, (input) => found.set(block, input)),
        )
      : undefined
  })
}

function captureInput(text: string, take: (input: string) => unknown): Visit<string> {
  return (name, at) => {
    if (name !== 'input') return undefined
    const end = endOfValue(text, at)
    take(text.slice(at, end))
    return end
  }
}

function isCall(block: unknown): boolean {
  return asJsonObject(block)?.type === 'tool_use'
}

/** Sees a value where it starts, and says where it ends if it went through it. */
type Visit<Key> = (key: Key, start: number) => number | undefined

/** Of a name given twice the last is seen last, and so counts, as it does for JSON.parse. */
function walkMembers(text: string, start: number, visit: Visit<string>): number | undefined {
  if (text[start] !== '{') return undefined
  let at = skipSpace(text, start + 1)
  while (text[at] === '"') {
    const nameEnd = endOfString(text, at)
    const name = JSON.parse(text.slice(at, nameEnd)) as string
    const value = skipSpace(text, skipSpace(text, nameEnd) + 1)
    at = afterComma(text, visit(name, value) ?? endOfValue(text, value))
  }
  return at + 1
}

function walkItems(text: string, start: number, visit: Visit<number>): number | undefined {
  if (text[start] !== '[') return undefined
  let at = skipSpace(text, start + 1)
  for (let index = 0; at < text.length && text[at] !== ']'; index += 1) {
    at = afterComma(text, visit(index, at) ?? endOfValue(text, at))
  }
  return at + 1
}

function afterComma(text: string, end: number): number {
  const at = skipSpace(text, end)
  return text[at] === ',' ? skipSpace(text, at + 1) : at
}

/**
 * A call's arguments as the object this dialect wants. What is no object is put into one as its `input`: models do
 * write broken JSON, and a call that is part of the conversation must not vanish or fail it. A tool that takes plain
 * text has its text there, too, as it was offered.
 */
export function encodeInput({ arguments: text }: Pick<ToolCallPart, 'arguments'>, takesText = false): unknown {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = parseExactly(text)
  } catch {
    return { input: text }
  }
  const object = asJsonObject(value)
  if (takesText) return object && isTextInput(object) ? object : { input: text }
  return object ?? { input: value }
}

function isTextInput(object: object): boolean {
  return Object.keys(object).length === 1 && 'input' in object && asText(object.input) === object.input
}

/** Younger than the language level we are checked against; where it is missing, numbers are written as doubles. */
const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }

/**
 * The value of a JSON text, such that `JSON.stringify` writes its numbers as they stand in the text: those that a
 * double cannot hold, or spells differently, become literals that only a serializer looks into. Throws when the text is
 * no JSON.
 *
 * Of the bytes of a tool call this keeps what carries meaning; spaces, escapes and the place of names that are whole
 * numbers go their own way, for this dialect has arguments as JSON and not as a text.
 */
export function parseExactly(text: string): unknown {
  const value = JSON.parse(text) as unknown
  if (!rawJSON || JSON.stringify(value) === text) return value
  return JSON.parse(text, preserveNumber)
}

function preserveNumber(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  return typeof value === 'number' && source !== undefined && source !== String(value) ? rawJSON!(source) : value
}
