import { ArrowLeftOutlined, FileSearchOutlined, ReloadOutlined } from '@ant-design/icons'
import { isAdmin, type RequestTrail } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useParams } from 'react-router'
import { CallError } from '../../lib/call-error.ts'
import { record } from '../../lib/receipt/fields.ts'
import { receiptOf } from '../../lib/receipt/receipt.ts'
import { ReceiptTable } from '../../lib/receipt/receipt-table.tsx'
import { useSession } from '../../lib/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Button, Skeleton } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Charge } from './charge.tsx'
import { Decision } from './decision.tsx'
import { FailedAttempts } from './failed-attempts.tsx'
import { trailQuery } from './queries.ts'
import { Rejection } from './rejection.tsx'
import { RequestHead } from './request-head.tsx'
import styles from './request.module.css'
import { Timeline } from './timeline.tsx'

/** One call explained from end to end. */
export default function RequestPage() {
  const { t } = useTranslation('request')
  const { t: common } = useTranslation()
  const { requestId = '' } = useParams()
  const list = listLeft(useLocation().state)
  const wholeSite = useSession((session) => isAdmin(session.user?.role ?? 0))
  const trail = useQuery(trailQuery(requestId, wholeSite))
  return (
    <>
      <Link className={styles.back} to={`/app/logs/api-usage${list}`}>
        <ArrowLeftOutlined aria-hidden /> {t('back')}
      </Link>
      <PageHeader title={t('title')} purpose={t('purpose')} />
      {trail.data ? (
        <Trail trail={trail.data} wholeSite={wholeSite} />
      ) : trail.error ? (
        missing(trail.error)
      ) : (
        <Loading />
      )}
    </>
  )

  function missing(error: Error) {
    if (!(error instanceof CallError) || error.code !== 'request_not_found') {
      return (
        <section className={styles.panel}>
          <ErrorState title={t('failed')} error={error} retrying={trail.isFetching} onRetry={trail.refetch} />
        </section>
      )
    }
    return (
      <section className={styles.panel} role="alert">
        <EmptyState
          icon={<FileSearchOutlined aria-hidden />}
          title={t('notFound.title', { id: requestId })}
          hint={t('notFound.hint')}
          action={
            <Button
              icon={<ReloadOutlined aria-hidden />}
              loading={trail.isFetching}
              onClick={() => void trail.refetch()}
            >
              {common('retry')}
            </Button>
          }
        />
      </section>
    )
  }
}

/** The filters and page of the log that led here, to go back to the same. */
function listLeft(state: unknown): string {
  const { list } = record(state)
  return typeof list === 'string' ? list : ''
}

function Trail({ trail, wholeSite }: { trail: RequestTrail; wholeSite: boolean }) {
  return (
    <div className={styles.trail}>
      <RequestHead trail={trail} wholeSite={wholeSite} />
      {trail.outcome === 'rejected' && trail.errors[0] && <Rejection row={trail.errors[0]} />}
      {trail.row && <Timeline steps={trail.steps} />}
      {trail.decision && <Decision decision={trail.decision} />}
      <div className={styles.money}>
        {trail.row && <Bill row={trail.row} />}
        <Charge trail={trail} />
      </div>
      {trail.outcome !== 'rejected' && trail.errors.length > 0 && <FailedAttempts rows={trail.errors} />}
    </div>
  )
}

function Bill({ row }: { row: NonNullable<RequestTrail['row']> }) {
  const { t } = useTranslation('request')
  const receipt = receiptOf(row)
  return (
    <section className={styles.panel} aria-labelledby="request-bill">
      <h2 id="request-bill">{t('bill.title')}</h2>
      {receipt ? <ReceiptTable receipt={receipt} hasHeading /> : <p className="secondary">{t('bill.missing')}</p>}
    </section>
  )
}

function Loading() {
  const { t } = useTranslation('request')
  return (
    <output className={styles.trail} aria-label={t('loading')}>
      {[3, 6, 4].map((rows) => (
        <div key={rows} className={styles.panel}>
          <Skeleton active title={false} paragraph={{ rows, width: '100%' }} />
        </div>
      ))}
    </output>
  )
}
