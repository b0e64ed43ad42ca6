import { countTokens } from '../count-tokens/index.ts'
import type { Call } from '../ingress/call.ts'
import { readBody } from '../ingress/read-body.ts'

/** Tokens of a prompt as we count them: no channel is asked, nothing is charged. */
export async function countPrompt({ dialect, request }: Pick<Call, 'dialect' | 'request'>) {
  const head = dialect.readRequest(await readBody(request))
  const { texts, otherTokens } = dialect.promptParts(head)
  return { input_tokens: otherTokens + (await countTokens(head.model, texts)) }
}
