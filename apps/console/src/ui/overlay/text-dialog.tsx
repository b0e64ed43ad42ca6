import { useTranslation } from 'react-i18next'
import { CopyButton } from '../feedback/copy-button.tsx'
import { Modal } from '../kit/index.ts'
import styles from './text-dialog.module.css'
import { useLast } from '../../lib/use-last.ts'

export interface ShownText {
  title: string
  text: string
  /** Shows code or data in a wider dialog. */
  isCode?: boolean
}

/** Shows a long text in full, with a copy button. */
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
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scroll areas must be keyboard accessible */}
      <pre className={styles.text} data-code={last?.isCode || undefined} tabIndex={0}>
        {last?.text}
      </pre>
    </Modal>
  )
}
