import type { Answer, Conversation, Question, Turn } from './types.ts'

type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

/** A message as models take it. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string | Part[]
}

/** What a model is told when it is asked the question of a turn: all that was said in its column before, and the question. */
export function messagesFor(
  { turns }: Pick<Conversation, 'turns'>,
  { turnId, columnId, systemPrompt }: { turnId: string; columnId: string; systemPrompt: string },
): ChatMessage[] {
  const asked = turns.findIndex(({ id }) => id === turnId)
  const before = turns.slice(0, asked)
  const begin = before.findLastIndex(({ endsContext }) => endsContext) + 1
  return [
    ...(systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt } as const]),
    ...before.slice(begin).flatMap((turn) => exchange(turn, columnId)),
    questionMessage(turns[asked]!.question),
  ]
}

/** A question without an answer would only confuse: models expect turns. */
function exchange({ question, answers }: Turn, columnId: string): ChatMessage[] {
  const answer = answers[columnId]
  if (!answer || !isWorthTelling(answer)) return []
  return [questionMessage(question), { role: 'assistant', content: answer.content }]
}

const isWorthTelling = ({ status, content }: Answer): boolean => status === 'complete' && content.trim() !== ''

function questionMessage({ content, pictures }: Question): ChatMessage {
  const kept = pictures.filter(({ url }) => url !== '')
  if (kept.length === 0) return { role: 'user', content }
  const parts = kept.map(({ url }): Part => ({ type: 'image_url', image_url: { url } }))
  return { role: 'user', content: content.trim() === '' ? parts : [{ type: 'text', text: content }, ...parts] }
}
