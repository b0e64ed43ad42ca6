import { asList, asText, asTree, parseTree, type Tree } from '../tree.ts'
import type { UsageBuckets } from '../usage-buckets.ts'
import type { WireError } from '../wire-error.ts'
import { errorIn } from './errors.ts'
import { readUsage } from './usage.ts'

/** What one event of a stream is, by the most telling thing in it. */
export type ChatEventKind =
  | 'role'
  | 'content'
  | 'reasoning'
  | 'tool-call'
  | 'finish'
  | 'usage'
  | 'error'
  | 'done'
  | 'other'

export interface ChatEvent {
  readonly kind: ChatEventKind
  /** Everything the model produced in this event, for counting when the vendor does not. */
  readonly text: string
  /** Tool calls that begin here. */
  readonly toolCalls: number
  readonly finishReason?: string
  readonly usage?: UsageBuckets
  readonly error?: WireError
  /** What a chunk of our own must repeat to belong to this stream. */
  readonly head?: ChunkHead
}

export interface ChunkHead {
  readonly id: unknown
  readonly created: unknown
  readonly model: unknown
}

/** Kinds a reader would notice: from the first of them on, an answer is committed. */
export function isContent({ kind }: ChatEvent): boolean {
  return kind === 'content' || kind === 'reasoning' || kind === 'tool-call'
}

const NOTHING = { text: '', toolCalls: 0 }

export function decodeEvent({ name, data }: { name?: string; data: string }): ChatEvent {
  if (data.trim() === '[DONE]') return { ...NOTHING, kind: 'done' }
  const tree = parseTree(data)
  if (!tree) return name === 'error' ? errorEvent({ message: data }) : { ...NOTHING, kind: 'other' }
  const error = errorIn(tree) ?? (name === 'error' ? { message: asText(tree.message) || data } : undefined)
  return error ? errorEvent(error) : decodeChunk(tree)
}

function errorEvent(error: WireError): ChatEvent {
  return { ...NOTHING, kind: 'error', error }
}

function decodeChunk(tree: Tree): ChatEvent {
  const choices = asList(tree.choices).map((choice) => readChoice(asTree(choice) ?? {}))
  const usage = asTree(tree.usage)
  const found = {
    text: choices.map(({ text }) => text).join(''),
    toolCalls: choices.reduce((sum, choice) => sum + choice.toolCalls, 0),
    finishReason: choices.find((choice) => choice.finishReason !== undefined)?.finishReason,
    usage: usage && readUsage(usage),
    head: { id: tree.id, created: tree.created, model: tree.model },
  }
  return { ...found, kind: kindOf(choices, usage !== undefined) }
}

type Choice = ReturnType<typeof readChoice>

function kindOf(choices: readonly Choice[], hasUsage: boolean): ChatEventKind {
  if (choices.some(({ content }) => content)) return 'content'
  if (choices.some(({ hasTools }) => hasTools)) return 'tool-call'
  if (choices.some(({ reasoning }) => reasoning)) return 'reasoning'
  if (choices.some(({ finishReason }) => finishReason !== undefined)) return 'finish'
  if (choices.length > 0) return 'role'
  return hasUsage ? 'usage' : 'other'
}

/** One choice of a chunk (`delta`), of a whole answer (`message`), or of a plain completion (`text`). */
export function readChoice(choice: Tree) {
  const part = asTree(choice.delta) ?? asTree(choice.message) ?? {}
  const reasoning = asText(part.reasoning_content) || asText(part.reasoning)
  const words = asText(part.content) + asText(part.refusal) + asText(choice.text)
  const richContent = asList(part.content)
    .map((item) => asText(asTree(item)?.text))
    .join('')
  const tools = readToolCalls(part)
  return {
    text: reasoning + words + richContent + tools.text,
    content: words !== '' || asList(part.content).length > 0 || hasValues(part.audio) || asList(part.images).length > 0,
    reasoning: reasoning !== '',
    hasTools: tools.parts > 0,
    toolCalls: tools.calls,
    finishReason: typeof choice.finish_reason === 'string' ? choice.finish_reason : undefined,
  }
}

function readToolCalls(part: Tree) {
  const calls = asList(part.tool_calls).map((call) => asTree(call) ?? {})
  const functions = calls.map((call) => asTree(call.function) ?? {})
  const legacy = asTree(part.function_call)
  const all = legacy ? [...functions, legacy] : functions
  return {
    parts: all.length,
    // A call begins with its name; the pieces of its arguments follow without.
    calls: all.filter(({ name }) => asText(name) !== '').length,
    text: all.map((called) => asText(called.name) + asText(called.arguments)).join(''),
  }
}

function hasValues(value: unknown): boolean {
  const tree = asTree(value)
  return tree !== undefined && Object.values(tree).some((field) => field !== null && field !== '')
}
