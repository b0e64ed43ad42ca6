import type { Signature } from '../../canonical/index.ts'
import { asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'

export interface ReasoningReader {
  /** The thought in a delta or message, and beside it whatever proves it. */
  read(said: JsonObject): string
  /** What ends the thought that was read up to here. */
  take(): { readonly signature: Signature; readonly redacted?: boolean }
  /** Something to hand back is left that no thought has taken. */
  readonly pending: boolean
}

/**
 * Vendors of this dialect have no signatures, so the thought's own words go back in the field they came in; that field is
 * what the signature says. Routers in front of other vendors have `reasoning_details`, which go back as they came.
 */
export function createReasoningReader(): ReasoningReader {
  let field = ''
  let details: Record<string, unknown>[] = []
  /** The details repeat the words of the plain field, at once or at the end. */
  let hasWords = false

  return {
    read(said) {
      const { reasoning_content: usual, reasoning: other, reasoning_details: list } = said
      let text = ''
      if (typeof usual === 'string' && usual !== '') text = usual
      else if (typeof other === 'string' && other !== '') {
        text = other
        field = 'reasoning'
      }
      if (text !== '') hasWords = true
      if (!Array.isArray(list)) return text
      for (const detail of list as unknown[]) addDetail(details, asJsonObject(detail) ?? {})
      return hasWords ? text : wordsIn(list)
    },
    take() {
      const taken = details
      details = []
      if (taken.length === 0) return { signature: { dialect: 'openai-chat', value: field } }
      const redacted = taken.every(({ type }) => type === 'reasoning.encrypted')
      return {
        signature: { dialect: 'openai-chat', value: JSON.stringify(taken) },
        ...(redacted && { redacted }),
      }
    },
    get pending() {
      return details.length > 0
    },
  }
}

/** A stream cuts one detail into pieces of the same place; put together they are what a whole answer would have. */
function addDetail(details: Record<string, unknown>[], piece: JsonObject): void {
  const last = details.at(-1)
  // Without a number nothing tells a piece from another detail.
  if (!last || typeof piece.index !== 'number' || last.index !== piece.index || last.type !== piece.type) {
    details.push({ ...piece })
    return
  }
  for (const [name, value] of Object.entries(piece)) {
    const isPiece = (name === 'text' || name === 'summary' || name === 'data') && typeof last[name] === 'string'
    if (isPiece) last[name] = asText(last[name]) + asText(value)
    else if (value !== null && value !== undefined) last[name] = value
  }
}

function wordsIn(details: readonly unknown[]): string {
  const trees = details.map((detail) => asJsonObject(detail) ?? {})
  return trees.map((detail) => asText(detail.text) || asText(detail.summary)).join('')
}
