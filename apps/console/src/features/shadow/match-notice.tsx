import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/format.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Alert } from '../../ui/kit/index.ts'
import { IMPORT_COMMAND } from './import-command.ts'
import styles from './shadow.module.css'

interface Props {
  matched: number
  left: number
  onClose(): void
}

/** What came of a comparison. It stays, because it says what to do next. */
export function MatchNotice({ matched, left, onClose }: Props) {
  const { t } = useTranslation('shadow')
  const { t: common } = useTranslation()
  return (
    <Alert
      className={styles.notice}
      type={left === 0 ? 'success' : 'info'}
      showIcon
      title={t('match.done', { matched: formatCount(matched), left: formatCount(left) })}
      description={left > 0 && <Command text={t('match.leftHint')} />}
      closable={{ 'aria-label': common('close'), onClose }}
    />
  )
}

/** There are calls, and nothing to compare them with. */
export function UnmatchedNotice() {
  const { t } = useTranslation('shadow')
  return (
    <Alert
      className={styles.notice}
      role="note"
      type="info"
      showIcon
      title={t('unmatched.title')}
      description={<Command text={t('unmatched.text')} />}
    />
  )
}

function Command({ text }: { text: string }) {
  const { t } = useTranslation('shadow')
  return (
    <>
      <p className={styles.noticeText}>{text}</p>
      <span className={styles.copied}>
        <code className={`mono ${styles.command}`}>
          {IMPORT_COMMAND.split(' ').map((word) => (
            <span key={word}>{word} </span>
          ))}
        </code>
        <CopyButton text={IMPORT_COMMAND} label={t('unmatched.copy')} />
      </span>
    </>
  )
}
