import type { RequestHead, RequestPath } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { parseBody } from '../../json/parse-body.ts'
import { asCount, asText, asJsonObject } from '../../json/json-object.ts'
import { OWN } from '../ids.ts'

const TOO_MANY_TOKENS = 2 ** 30

export function readRequest(text: string, _path?: RequestPath, tree = parseBody(text)): RequestHead {
  if (typeof tree.model !== 'string' || tree.model === '') throw new DialectError('model_required')
  if (!Array.isArray(tree.messages) || tree.messages.length === 0) {
    throw new DialectError('invalid_request', 'messages must be a non-empty array')
  }
  // The vendor insists on a limit, clients of a gateway may leave it to the operator.
  const maxTokens = asCount(tree.max_tokens)
  if (maxTokens >= TOO_MANY_TOKENS) throw new DialectError('invalid_request', 'max_tokens is too large')
  return {
    dialect: OWN,
    text,
    tree,
    model: tree.model,
    stream: tree.stream === true,
    includeUsage: true, // nobody asks for the counts here: they are part of every stream
    maxTokens,
    conversation: asText(asJsonObject(tree.metadata)?.user_id) || undefined,
  }
}
