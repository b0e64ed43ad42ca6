import { useTranslation } from 'react-i18next'
import { textIn, type Fields } from '../../../lib/receipt/fields.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import styles from './details.module.css'

const PARTS = ['system_prompt', 'context', 'input_content', 'output_content'] as const

/** What was said, where the site keeps it: folded, and as plain text whatever is in it. */
export function ChatContent({ fields }: { fields: Fields }) {
  const { t } = useTranslation('logs')
  const given = PARTS.map((part) => ({ part, text: textIn(fields, part) })).filter(({ text }) => text !== '')
  if (given.length === 0) return null
  return (
    <section className={styles.chat} aria-label={t('chat.title')}>
      {given.map(({ part, text }) => (
        <details key={part}>
          <summary>
            {t(`chat.${part}`)} <span className="secondary">{t('chat.length', { length: [...text].length })}</span>
          </summary>
          <div className={styles.said}>
            <CopyButton text={text} label={t('chat.copy', { part: t(`chat.${part}`) })} />
            <pre>{text}</pre>
          </div>
        </details>
      ))}
    </section>
  )
}
