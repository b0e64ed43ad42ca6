import { countTokens } from '../tokens/count-tokens.ts'
import { readJson, type ReadOptions } from '../http/read-body.ts'
import type { ApiRequest } from '../http/api-request.ts'

/** Counts the tokens of a prompt. No channel is called, and nothing is charged. */
export async function countPrompt(
  { dialect, request }: Pick<ApiRequest, 'dialect' | 'request'>,
  options: Pick<ReadOptions, 'beforeLarge'>,
) {
  const { text, json: tree } = await readJson(request, options)
  const head = dialect.readRequest(text, undefined, tree)
  const { texts, otherTokens } = dialect.promptParts(head)
  return { input_tokens: otherTokens + (await countTokens(head.model, texts)) }
}
