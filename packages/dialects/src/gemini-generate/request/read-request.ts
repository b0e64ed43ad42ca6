import type { RequestHead, RequestPath } from '../../canonical/index.ts'
import { DialectError } from '../../dialect-error.ts'
import { parseBody } from '../../json/parse-body.ts'
import { asCount, asJsonObject } from '../../json/json-object.ts'
import { OWN } from '../ids.ts'

const TOO_MANY_TOKENS = 2 ** 30

/** Which model, and whether to stream, is in the address. */
export function readRequest(text: string, path: RequestPath = {}, tree = parseBody(text)): RequestHead {
  if (!path.model) throw new DialectError('model_required')
  if (!Array.isArray(tree.contents) || tree.contents.length === 0) {
    throw new DialectError('invalid_request', 'contents must be a non-empty array')
  }
  const config = asJsonObject(tree.generationConfig ?? tree.generation_config)
  const maxTokens = asCount(config?.maxOutputTokens ?? config?.max_output_tokens)
  if (maxTokens >= TOO_MANY_TOKENS) throw new DialectError('invalid_request', 'maxOutputTokens is too large')
  return {
    dialect: OWN,
    text,
    tree,
    model: path.model,
    stream: path.stream === true,
    // Nobody needs to ask for counts here: every answer has them.
    includeUsage: true,
    maxTokens,
  }
}
