import { LoadingOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/file-export/receive-file.ts'
import { Button } from '../../../ui/kit/index.ts'
import styles from '../logs.module.css'

/** How much of the file has come; how much there is only the end tells. */
export function ExportNotice({ received, onCancel }: { received: number; onCancel(): void }) {
  const { t } = useTranslation('logs')
  const { t: common } = useTranslation()
  return (
    <section className={styles.notice} aria-label={t('export.title')}>
      <LoadingOutlined aria-hidden />
      <strong>{t('export.title')}</strong>
      <output className="number secondary">{t('export.received', { size: formatBytes(received) })}</output>
      <Button size="small" className={styles.noticeButton} onClick={onCancel}>
        {common('cancel')}
      </Button>
    </section>
  )
}
