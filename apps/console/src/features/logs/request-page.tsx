import { ArrowLeftOutlined, FileSearchOutlined, ReloadOutlined } from '@ant-design/icons'
import { isAdmin } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { ApiError } from '../../api/errors.ts'
import { useSession } from '../../api/session.ts'
import { record } from '../../components/receipt/fields.ts'
import { LoadError } from '../../components/resource/load-error.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { writeFilters } from '../../ui/filters/define-filters.ts'
import { Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { requestQuery } from './api.ts'
import { logFilters, type LogFilters } from './filters.ts'
import { Loading, RequestView } from './request-view.tsx'
import styles from './request.module.css'

const LOGS = '/app/logs/api-usage'

export default function RequestPage() {
  const { t } = useTranslation('request')
  const { requestId = '' } = useParams()
  const navigate = useNavigate()
  const list = listQuery(useLocation().state)
  const wholeSite = useSession((session) => isAdmin(session.user?.role ?? 0))
  const trail = useQuery(requestQuery(requestId, wholeSite))
  return (
    <>
      <Link className={styles.back} to={`${LOGS}${list}`}>
        <ArrowLeftOutlined aria-hidden /> {t('back')}
      </Link>
      <PageHeader title={t('title')} purpose={t('purpose')} />
      <div className={styles.page}>
        {trail.data ? (
          <RequestView trail={trail.data} wholeSite={wholeSite} onFilter={filter} />
        ) : trail.error ? (
          <RequestError
            requestId={requestId}
            error={trail.error}
            retrying={trail.isFetching}
            onRetry={() => void trail.refetch()}
          />
        ) : (
          <Loading />
        )}
      </div>
    </>
  )

  function filter(changes: Partial<LogFilters>) {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(writeFilters(logFilters, changes))) {
      if (value !== null) query.set(name, String(value))
    }
    void navigate(`${LOGS}?${query.toString()}`)
  }
}

/** The filters and page of the list that linked here. */
function listQuery(state: unknown): string {
  const { list } = record(state)
  return typeof list === 'string' ? list : ''
}

interface ErrorProps {
  requestId: string
  error: Error
  retrying: boolean
  onRetry(): void
}

export function RequestError({ requestId, error, retrying, onRetry }: ErrorProps) {
  const { t } = useTranslation('request')
  const { t: common } = useTranslation()
  if (!(error instanceof ApiError) || error.code !== 'request_not_found') {
    return <LoadError title={t('failed')} error={error} retrying={retrying} onRetry={onRetry} />
  }
  return (
    <div role="alert">
      <EmptyState
        icon={<FileSearchOutlined aria-hidden />}
        title={t('notFound.title', { id: requestId })}
        hint={t('notFound.hint')}
        action={
          <Button icon={<ReloadOutlined aria-hidden />} loading={retrying} onClick={onRetry}>
            {common('retry')}
          </Button>
        }
      />
    </div>
  )
}
