import { saveText } from '../../../lib/save-file.ts'
import { titleOf, type Answer, type Conversation, type Turn } from './conversation.ts'

export type ExportFormat = 'markdown' | 'json'

/** Headings in the language of the page. */
interface ExportTexts {
  question: string
  untitled: string
  thinking: string
}

/** Downloads a conversation as a file. */
export function exportConversation(conversation: Conversation, format: ExportFormat, texts: ExportTexts): void {
  const name = fileName(titleOf(conversation) || texts.untitled)
  if (format === 'markdown') saveText(`${name}.md`, toMarkdown(conversation, texts))
  else saveText(`${name}.json`, toJson(conversation))
}

/** Removes characters that file systems reject. */
const fileName = (title: string): string =>
  title
    .replace(/[\p{C}\\/:*?"<>|]+/gu, ' ')
    .trim()
    .slice(0, 40)

export function toMarkdown(conversation: Conversation, texts: ExportTexts): string {
  const sections = [`# ${titleOf(conversation) || texts.untitled}`]
  for (const { question, answers } of conversation.turns) {
    const pictures = question.pictures.map(({ name }) => `[${name}]`)
    sections.push(`## ${texts.question}`, [question.content, ...pictures].filter(Boolean).join('\n\n'))
    for (const { id } of conversation.columns) {
      const answer = answers[id]
      if (answer) sections.push(`## ${answer.model}`, ...sectionsOf(answer, texts))
    }
  }
  return `${sections.join('\n\n')}\n`
}

function sectionsOf({ thinking, content, failure, pictures }: Answer, texts: ExportTexts): string[] {
  const reasoning = thinking && `<details><summary>${texts.thinking}</summary>\n\n${thinking}\n\n</details>`
  const images = pictures.filter(({ url }) => url !== '').map(({ url, name }) => `![${name}](${url})`)
  return [reasoning, content, ...images, failure ? `> ${failure.message}` : ''].filter((text) => text !== '')
}

export function toJson(conversation: Conversation): string {
  return `${JSON.stringify({ title: titleOf(conversation), ...conversation, turns: conversation.turns.map(plainTurn) }, null, 2)}\n`
}

/** The messages of a turn in order. The specification defines their fields. */
function plainTurn({ id, endsContext, question, answers }: Turn) {
  return { id, ends_context: endsContext, messages: [question, ...Object.values(answers)] }
}
