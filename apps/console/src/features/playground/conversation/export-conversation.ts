import { titleOf } from './conversation.ts'
import type { Answer, Conversation, Turn } from './types.ts'

/** Words that head the parts of a written conversation. */
export interface ExportWords {
  question: string
  untitled: string
  thinking: string
}

/** A conversation to read, to keep or to send on. */
export function toMarkdown(conversation: Conversation, words: ExportWords): string {
  const sections = [`# ${titleOf(conversation) || words.untitled}`]
  for (const { question, answers } of conversation.turns) {
    const pictures = question.pictures.map(({ name }) => `[${name}]`)
    sections.push(`## ${words.question}`, [question.content, ...pictures].filter(Boolean).join('\n\n'))
    for (const { id } of conversation.columns) {
      const answer = answers[id]
      if (answer) sections.push(`## ${answer.model}`, ...wordsOf(answer, words))
    }
  }
  return `${sections.join('\n\n')}\n`
}

function wordsOf({ thinking, content, failure, pictures }: Answer, words: ExportWords): string[] {
  const thought = thinking && `<details><summary>${words.thinking}</summary>\n\n${thinking}\n\n</details>`
  const drawn = pictures.filter(({ url }) => url !== '').map(({ url, name }) => `![${name}](${url})`)
  return [thought, content, ...drawn, failure ? `> ${failure.message}` : ''].filter((text) => text !== '')
}

/** Everything that is known of it, for programs. */
export function toJson(conversation: Conversation): string {
  return `${JSON.stringify({ title: titleOf(conversation), ...conversation, turns: conversation.turns.map(plain) }, null, 2)}\n`
}

/** The messages in the order they were said, as the specification names their fields. */
function plain({ id, endsContext, question, answers }: Turn) {
  return { id, ends_context: endsContext, messages: [question, ...Object.values(answers)] }
}
