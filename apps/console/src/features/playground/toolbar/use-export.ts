import { useTranslation } from 'react-i18next'
import { saveText } from '../../../lib/save-file.ts'
import { toJson, toMarkdown } from '../conversation/export-conversation.ts'
import { titleOf } from '../conversation/conversation.ts'
import type { Conversation } from '../conversation/types.ts'

/** Gives a conversation to the person as a file. */
export function useExport(conversation: Conversation) {
  const { t } = useTranslation('playground')
  return (format: 'markdown' | 'json') => {
    const words = { question: t('export.question'), untitled: t('history.untitled'), thinking: t('answer.thinking') }
    const name = fileName(titleOf(conversation) || words.untitled)
    if (format === 'markdown') saveText(`${name}.md`, toMarkdown(conversation, words))
    else saveText(`${name}.json`, toJson(conversation))
  }
}

/** Without what file systems do not take. */
const fileName = (title: string): string =>
  title
    .replace(/[\p{C}\\/:*?"<>|]+/gu, ' ')
    .trim()
    .slice(0, 40)
