import type { RequestHead, RequestPath } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { parseBody } from '../../json/parse-body.ts'
import { asCount, asText, asJsonObject } from '../../json/json-object.ts'

const TOO_MANY_TOKENS = 2 ** 30

export function readRequest(text: string, _path?: RequestPath, tree = parseBody(text)): RequestHead {
  if (typeof tree.model !== 'string' || tree.model === '') throw new DialectError('model_required')
  if (!isInput(tree.input)) {
    throw new DialectError('invalid_request', 'input must be a text or a non-empty array of items')
  }
  if (tree.background) {
    throw new DialectError(
      'invalid_request',
      'background responses are not supported: send the request without background',
    )
  }
  const maxTokens = asCount(tree.max_output_tokens)
  if (maxTokens >= TOO_MANY_TOKENS) throw new DialectError('invalid_request', 'max_output_tokens is too large')
  return {
    dialect: 'openai-responses',
    text,
    tree,
    model: tree.model,
    stream: tree.stream === true,
    // The last event of a stream always carries the counts.
    includeUsage: true,
    maxTokens,
    conversation: asText(tree.prompt_cache_key) || undefined,
    stored: {
      previousResponseId: asText(tree.previous_response_id) || undefined,
      conversationId: asText(tree.conversation) || asText(asJsonObject(tree.conversation)?.id) || undefined,
      storesResponse: tree.store !== false,
    },
  }
}

function isInput(input: unknown): boolean {
  return (typeof input === 'string' || Array.isArray(input)) && input.length > 0
}
