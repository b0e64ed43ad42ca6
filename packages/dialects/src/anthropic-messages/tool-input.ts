import type { ToolCallPart } from '../canonical/index.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../json/json-object.ts'
import { endOfString, endOfValue, skipSpace } from '../json/patch-members.ts'

/** Original JSON text of the input of each `tool_use` block, by parsed block. */
export type ToolInputs = ReadonlyMap<unknown, string>

const NO_INPUTS: ToolInputs = new Map()

/**
 * Slices the inputs of a request's calls from its text. Parsing would lose large numbers, `1.0`, the order of names and
 * escapes. Scans the text once.
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

/** Same for a whole response. */
export function sliceResponseInputs(text: string, { content }: JsonObject): ToolInputs {
  const blocks = asList(content)
  if (!blocks.some(isCall)) return NO_INPUTS
  const found = new Map<unknown, string>()
  walkMembers(text, skipSpace(text, 0), (name, at) =>
    name === 'content' ? walkBlocks(text, at, blocks, found) : undefined,
  )
  return found
}

/** Same for the event that starts a block. */
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

/** Visits a value at `start`. Returns its end if the callback scanned it. */
type Visit<Key> = (key: Key, start: number) => number | undefined

/** The last of repeated names counts, as in JSON.parse. */
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
 * Returns the arguments of a call as an object. Invalid JSON and other values become its `input`, since models write
 * broken JSON and the call must stay in the conversation. The text of a text tool also becomes `input`.
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

/** Missing in the type declarations. Without it, numbers are written as doubles. */
const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }

/**
 * Parses JSON so that `JSON.stringify` writes its numbers unchanged. Numbers that a double would change become raw JSON
 * literals, which only a serializer can read. Throws if the text is not JSON.
 *
 * Whitespace, escapes and the position of integer-like names are not preserved.
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
