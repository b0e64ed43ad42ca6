import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../../lib/i18n.ts'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { nginxSnippet } from '../nginx-snippet.ts'
import styles from '../shadow.module.css'

/** What to set up in front of the old gateway. */
export function HowTo() {
  const { t } = useTranslation('shadow')
  const { t: common } = useTranslation()
  const snippet = nginxSnippet(window.location)
  const isChinese = currentLanguage().startsWith('zh')
  return (
    <details className={styles.howTo}>
      <summary>{t('howTo.title')}</summary>
      <p>{t('howTo.text')}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <pre className={styles.snippet} tabIndex={0}>
        {snippet}
      </pre>
      <p>{t('howTo.note')}</p>
      <div className={styles.howToActions}>
        <CopyButton text={snippet} label={t('howTo.copy')} words={common('copy')} />
        {/* The documents are no screen of the console. */}
        <a href={isChinese ? '/docs/zh/guides/shadow' : '/docs/guides/shadow'} target="_blank" rel="noreferrer">
          {t('howTo.guide')}
        </a>
      </div>
    </details>
  )
}
