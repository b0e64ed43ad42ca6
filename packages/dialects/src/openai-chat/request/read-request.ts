import type { RequestHead, RequestPath } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { parseBody } from '../../json/parse-body.ts'
import { asCount, asText, asJsonObject } from '../../json/json-object.ts'

const TOO_MANY_TOKENS = 2 ** 30

export function readRequest(text: string, _path?: RequestPath, tree = parseBody(text)): RequestHead {
  if (typeof tree.model !== 'string' || tree.model === '') throw new DialectError('model_required')
  if (!Array.isArray(tree.messages) || tree.messages.length === 0) {
    throw new DialectError('invalid_request', 'messages must be a non-empty array')
  }
  const maxTokens = Math.max(asCount(tree.max_tokens), asCount(tree.max_completion_tokens))
  if (maxTokens >= TOO_MANY_TOKENS) throw new DialectError('invalid_request', 'max_tokens is too large')
  return {
    dialect: 'openai-chat',
    text,
    tree,
    model: tree.model,
    stream: tree.stream === true,
    includeUsage: asJsonObject(tree.stream_options)?.include_usage === true,
    maxTokens,
    conversation: asText(tree.prompt_cache_key) || undefined,
  }
}
