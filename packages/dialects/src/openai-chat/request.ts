import { DialectError } from '../dialect-error.ts'
import { patchMembers } from '../json/patch-members.ts'
import { asCount, asTree, type Tree } from '../tree.ts'
import { withSystemPrompt } from './system-prompt.ts'

/** A chat request: the text as it came, and beside it the few things we act on. */
export interface ChatRequest {
  readonly text: string
  readonly tree: Tree
  readonly model: string
  readonly stream: boolean
  /** The client wants the counts at the end of its stream. */
  readonly includeUsage: boolean
  /** The largest answer the client allows, 0 when it does not say. */
  readonly maxTokens: number
}

export interface RequestPatch {
  readonly model: string
  readonly stream: boolean
  /** `ask` for the counts of a stream, `omit` for vendors that stumble over the question, `keep` what the client sent. */
  readonly usage: 'ask' | 'omit' | 'keep'
  readonly systemPrompt?: string
  /** Top-level members that overwrite the request; null removes one. */
  readonly override?: Tree
}

const TOO_MANY_TOKENS = 2 ** 30

export function readRequest(text: string): ChatRequest {
  const tree = parse(text)
  if (typeof tree.model !== 'string' || tree.model === '') throw new DialectError('model_required')
  if (!Array.isArray(tree.messages) || tree.messages.length === 0) {
    throw new DialectError('invalid_request', 'messages must be a non-empty array')
  }
  const maxTokens = Math.max(asCount(tree.max_tokens), asCount(tree.max_completion_tokens))
  if (maxTokens >= TOO_MANY_TOKENS) throw new DialectError('invalid_request', 'max_tokens is too large')
  return {
    text,
    tree,
    model: tree.model,
    stream: tree.stream === true,
    includeUsage: asTree(tree.stream_options)?.include_usage === true,
    maxTokens,
  }
}

/** The request for the vendor: only what we own is changed, all else is sent as it was written. */
export function patchRequest(request: ChatRequest, patch: RequestPatch): string {
  const changes: Record<string, unknown> = { model: patch.model }
  if (request.stream !== patch.stream) changes.stream = patch.stream
  if (patch.usage === 'omit' || request.stream !== patch.stream) changes.stream_options = undefined
  else if (patch.usage === 'ask' && patch.stream && !request.includeUsage) {
    changes.stream_options = { ...asTree(request.tree.stream_options), include_usage: true }
  }
  if (patch.systemPrompt) changes.messages = withSystemPrompt(request.tree.messages as unknown[], patch.systemPrompt)
  for (const [name, value] of Object.entries(patch.override ?? {})) changes[name] = value === null ? undefined : value
  return patchMembers(request.text, changes)
}

function parse(text: string): Tree {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new DialectError('invalid_json')
  }
  const tree = asTree(value)
  if (!tree) throw new DialectError('invalid_request', 'the body must be an object')
  return tree
}
