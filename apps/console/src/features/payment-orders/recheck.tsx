import { SyncOutlined } from '@ant-design/icons'
import type { OrderDetail } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, errorText } from '../../api/errors.ts'
import { formatBalance } from '../../lib/format.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Alert, App, Button, type AlertProps } from '../../ui/kit/index.ts'
import type { Tone } from '../../ui/feedback/status-tag.tsx'
import { useProviderName } from './columns.tsx'
import styles from './orders.module.css'
import { useRecheck } from './api.ts'
import { failureOf, findingOf, toneOf, type Finding } from './recheck-result.ts'

/** Checks the order with the payment service after a confirmation, and shows the result. */
export function Recheck({ order }: { order: OrderDetail }) {
  const { t } = useTranslation('orders')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const recheck = useRecheck(order.id)
  const [finding, setFinding] = useState<Finding | null>(null)
  const provider = useProviderName()(order.provider)
  const isCredited = order.completed_at > 0
  const textValues = { provider, amount: formatBalance(order.quota), user: order.username }

  const runRecheck = () => {
    setFinding(null)
    recheck.mutate(undefined, { onSuccess: (after) => setFinding(findingOf(order, after)) })
  }
  const confirm = () =>
    void modal.confirm({
      title: t('recheck.confirmTitle', textValues),
      content: t(isCredited ? 'recheck.confirmCredited' : 'recheck.confirmText', textValues),
      okText: t('recheck.ok'),
      cancelText: common('cancel'),
      // The dialog closes immediately; the button in the drawer shows the loading state.
      onOk: runRecheck,
    })
  return (
    <section className={styles.part} aria-label={t('recheck.title')}>
      <div className={styles.ask}>
        <p className={styles.hint}>{t(isCredited ? 'recheck.hintCredited' : 'recheck.hint')}</p>
        <Button
          type={isCredited ? 'default' : 'primary'}
          icon={<SyncOutlined aria-hidden />}
          loading={recheck.isPending}
          onClick={() => !recheck.isPending && confirm()}
        >
          {t('recheck.title')}
        </Button>
      </div>
      {finding && (
        <Alert
          type={ALERTS[toneOf(finding)]}
          showIcon
          title={t(`recheck.findings.${finding}.title`, textValues)}
          description={t(`recheck.findings.${finding}.text`, textValues)}
        />
      )}
      {recheck.error && (
        <Alert
          type="error"
          showIcon
          title={t(`recheck.failures.${failureOf(recheck.error)}`, textValues)}
          description={<Reason error={recheck.error} />}
        />
      )}
    </section>
  )
}

/** The error message of the server, and the request ID for support. */
function Reason({ error }: { error: Error }) {
  const { t } = useTranslation()
  const requestId = error instanceof ApiError ? error.requestId : ''
  return (
    <>
      {errorText(error)}
      {requestId && (
        <p className={styles.request}>
          {t('requestId')} <code className="mono">{requestId}</code>{' '}
          <CopyButton text={requestId} label={t('copyRequestId')} />
        </p>
      )}
    </>
  )
}

const ALERTS: Record<Tone, NonNullable<AlertProps['type']>> = {
  good: 'success',
  warn: 'warning',
  bad: 'error',
  info: 'info',
  neutral: 'info',
}
