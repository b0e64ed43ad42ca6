import { Verbatim } from '../write-json.ts'
import type { Answer, Vendor } from '../types.ts'

export interface AnswerPart {
  text?: string
  thought?: boolean
  inlineData?: { mimeType: string; data: string }
  functionCall?: { id?: string; name: string; args: Verbatim }
  thoughtSignature?: string
}

/** Models from here on give their calls an id, and insist on their signatures. */
export function isGemini3(model: string): boolean {
  return model.startsWith('gemini-3')
}

/**
 * The parts of an answer. Of several calls only the first is signed; without calls the signature is on the last part.
 * A model refuses by its finish reason alone.
 */
export function answerParts(answer: Answer, { signatures }: Vendor): AnswerPart[] {
  const { asked, reasoning, text, images, toolCalls, sequence } = answer
  const thoughts = asked.showThoughts && reasoning !== '' ? [{ text: reasoning, thought: true }] : []
  const spoken: AnswerPart[] = [
    ...(text === '' ? [] : [{ text }]),
    ...images.map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } })),
  ]
  const calls = toolCalls.map((call): AnswerPart => {
    const id = isGemini3(asked.model) ? { id: call.id } : {}
    return { functionCall: { ...id, name: call.name, args: new Verbatim(call.arguments) } }
  })
  const signed = calls[0] ?? (reasoning === '' ? undefined : spoken.at(-1))
  if (signed !== undefined) {
    const subject = signed.functionCall?.name ?? `text ${sequence}`
    signed.thoughtSignature = signatures.issue('gemini-generate', subject, answer.signature)
  }
  return [...thoughts, ...spoken, ...calls]
}
