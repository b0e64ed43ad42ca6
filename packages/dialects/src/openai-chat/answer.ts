import { asList, asTree, parseTree, type Tree } from '../tree.ts'
import type { UsageBuckets } from '../usage-buckets.ts'
import type { WireError } from '../wire-error.ts'
import { errorIn } from './errors.ts'
import { readChoice, type ChunkHead } from './events.ts'
import { readUsage } from './usage.ts'

/** A whole answer, as far as we must understand it. */
export interface ChatAnswer {
  readonly tree: Tree
  readonly text: string
  readonly toolCalls: number
  /** Something a reader would notice is in it. */
  readonly hasContent: boolean
  readonly finishReason?: string
  readonly usage?: UsageBuckets
  readonly error?: WireError
  readonly head: ChunkHead
}

/** Reads the body of an answer that was not streamed; `undefined` when it is no JSON object. */
export function readAnswer(body: string): ChatAnswer | undefined {
  const tree = parseTree(body)
  if (!tree) return undefined
  const choices = asList(tree.choices).map((choice) => readChoice(asTree(choice) ?? {}))
  const usage = asTree(tree.usage)
  return {
    tree,
    text: choices.map(({ text }) => text).join(''),
    toolCalls: choices.reduce((sum, choice) => sum + choice.toolCalls, 0),
    hasContent: choices.some(({ content, reasoning, hasTools }) => content || reasoning || hasTools),
    finishReason: choices.find((choice) => choice.finishReason !== undefined)?.finishReason,
    usage: usage && readUsage(usage),
    error: errorIn(tree),
    head: { id: tree.id, created: tree.created, model: tree.model },
  }
}

/**
 * A reply with no text and no tool call is the vendor's fault, unless it says why: the model may have spent its whole
 * allowance on hidden reasoning, or a filter may have taken everything.
 */
export function isEmptyReply(reply: { hasContent: boolean; finishReason?: string }): boolean {
  return !reply.hasContent && reply.finishReason !== 'length' && reply.finishReason !== 'content_filter'
}
