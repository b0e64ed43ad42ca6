import { useTranslation } from 'react-i18next'
import { CopyButton } from '../feedback/copy-button.tsx'
import { Modal } from '../kit/index.ts'
import styles from './text-dialog.module.css'
import { useLast } from '../../lib/use-last.ts'

export interface ShownText {
  title: string
  text: string
  /** Code and data, where every column counts. */
  isCode?: boolean
}

/** A text that is too long for its place, whole and to be copied. */
export function TextDialog({ shown, onClose }: { shown: ShownText | null; onClose(): void }) {
  const { t } = useTranslation()
  const last = useLast(shown)
  return (
    <Modal
      title={last?.title}
      open={shown !== null}
      onCancel={onClose}
      width={last?.isCode ? 760 : 600}
      footer={last && <CopyButton text={last.text} label={`${t('copy')} ${last.title}`} words={t('copy')} />}
      destroyOnHidden
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <pre className={styles.text} data-code={last?.isCode || undefined} tabIndex={0}>
        {last?.text}
      </pre>
    </Modal>
  )
}
