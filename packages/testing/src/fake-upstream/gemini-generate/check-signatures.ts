import { mergeTurns } from './check-contents.ts'
import type { GeminiContent } from './request.ts'
import { demand, wordSet } from '../checks.ts'
import type { Vendor } from '../types.ts'

/**
 * From Gemini 3 on, the first call of every step of the current turn carries the signature it was made with. The turn
 * begins at the last words of the user; what lies before it is not checked. Callers that bring history from another
 * model may say so in the documented words.
 */
export function checkSignatures(contents: readonly GeminiContent[], { signatures }: Vendor): void {
  const turns = mergeTurns(contents)
  const start = turns.findLastIndex(
    ({ role, parts = [] }) => role !== 'model' && parts.some(({ functionResponse: result }) => result === undefined),
  )
  turns.slice(start + 1).forEach(({ parts = [] }, index) => {
    const first = parts.find(({ functionCall: call }) => call !== undefined)
    if (first === undefined) return
    const where = `contents[${start + 1 + index}]`
    demand(first.thoughtSignature, `${where}: Function call is missing a thought_signature in functionCall parts`)
    if (FOR_FOREIGN_HISTORY.has(first.thoughtSignature)) return
    const signed = signatures.subjectOf('gemini-generate', first.thoughtSignature)
    demand(signed === first.functionCall?.name, `${where}: Corrupted thought signature.`)
  })
}

const FOR_FOREIGN_HISTORY = wordSet('skip_thought_signature_validator context_engineering_is_the_way_to_go')
