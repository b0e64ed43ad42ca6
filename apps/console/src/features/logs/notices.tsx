import { LoadingOutlined } from '@ant-design/icons'
import { isRoot } from '@tidegate/contract/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../api/file-export/receive-file.ts'
import { errorText } from '../../api/errors.ts'
import { useSession } from '../../api/session.ts'
import { toast } from '../../lib/toast.ts'
import { Alert, Button } from '../../ui/kit/index.ts'
import { ATTENTION_KEY, attentionQuery, turnOnErrorLogging } from './api.ts'
import styles from './logs.module.css'

/** Warns administrators that failed requests are not logged. */
export function ErrorLoggingNote({ wholeSite }: { wholeSite: boolean }) {
  const { t } = useTranslation('logs')
  const client = useQueryClient()
  const mayChange = useSession((session) => isRoot(session.user?.role ?? 0))
  const attention = useQuery({ ...attentionQuery, enabled: wholeSite })
  const isOff = attention.data?.some(({ kind, total }) => kind === 'error_logging_off' && total > 0) ?? false
  const turnOn = useMutation({
    mutationFn: turnOnErrorLogging,
    onSuccess: () => {
      toast.success(t('errorLogging.done'))
      return client.invalidateQueries({ queryKey: ATTENTION_KEY })
    },
    onError: (error) => toast.error(errorText(error)),
  })
  if (!isOff) return null
  return (
    <div className={styles.note}>
      <Alert
        type="warning"
        showIcon
        title={t('errorLogging.off')}
        action={
          mayChange && (
            <Button size="small" loading={turnOn.isPending} onClick={() => turnOn.mutate()}>
              {t('errorLogging.turnOn')}
            </Button>
          )
        }
      />
    </div>
  )
}

/** Progress of an export. Its size is unknown until it ends. */
export function ExportNotice({ received, onCancel }: { received: number; onCancel(): void }) {
  const { t } = useTranslation('logs')
  const { t: common } = useTranslation()
  return (
    <section className={styles.export} aria-label={t('export.title')}>
      <LoadingOutlined aria-hidden />
      <strong>{t('export.title')}</strong>
      <output className="number secondary">{t('export.received', { size: formatBytes(received) })}</output>
      <Button size="small" className={styles.exportButton} onClick={onCancel}>
        {common('cancel')}
      </Button>
    </section>
  )
}
