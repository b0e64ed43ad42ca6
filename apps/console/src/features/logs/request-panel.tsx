import type { UsageLog } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { Button } from '../../ui/kit/index.ts'
import { SideDrawer } from '../../ui/overlay/side-drawer.tsx'
import { requestQuery } from './api.ts'
import { openKey, type LogFilters } from './filters.ts'
import { neighbours, useIsWide } from './layout.ts'
import styles from './logs.module.css'
import { RequestError } from './request-page.tsx'
import { PageLink } from './panel-buttons.tsx'
import { Loading, RequestView, trailOf } from './request-view.tsx'

interface Props {
  /** Key of the open row. */
  openRow: string
  rows: readonly UsageLog[]
  wholeSite: boolean
  onOpen(key: string): void
  onClose(): void
  onFilter(changes: Partial<LogFilters>): void
}

/** The open row beside the list, or over it on narrow screens. */
export default function RequestPanel(props: Props) {
  const { t } = useTranslation('logs')
  const isWide = useIsWide()
  if (isWide) {
    return (
      <aside className={styles.panel} aria-label={t('panel.title')}>
        <PanelContent {...props} />
      </aside>
    )
  }
  return (
    <SideDrawer
      open
      title={t('panel.title')}
      closable={false}
      styles={{ header: { display: 'none' } }}
      onClose={props.onClose}
    >
      <PanelContent {...props} />
    </SideDrawer>
  )
}

function PanelContent({ openRow, rows, wholeSite, onOpen, onClose, onFilter }: Props) {
  const { t } = useTranslation('logs')
  const { t: common } = useTranslation()
  const { search } = useLocation()
  const row = rows.find((log) => openKey(log) === openRow)
  const requestId = openRow.startsWith('row-') ? '' : openRow
  const request = useQuery({ ...requestQuery(requestId, wholeSite), enabled: requestId !== '' })
  const { previous, next } = neighbours(rows, openRow)
  const panel = {
    page: requestId !== '' && <PageLink requestId={requestId} list={search} />,
    onPrevious: previous === undefined ? undefined : () => onOpen(previous),
    onNext: next === undefined ? undefined : () => onOpen(next),
    onClose,
  }
  const trail = request.data ?? (row && trailOf(row))
  if (trail) {
    const isLoading = requestId !== '' && request.isPending
    return <RequestView key={openRow} {...{ trail, isLoading, wholeSite, onFilter, panel }} />
  }
  return (
    <>
      {request.error ? (
        <RequestError
          requestId={requestId}
          error={request.error}
          retrying={request.isFetching}
          onRetry={() => void request.refetch()}
        />
      ) : requestId === '' ? (
        <p className="secondary">{t('panel.gone')}</p>
      ) : (
        <Loading />
      )}
      <Button onClick={onClose}>{common('close')}</Button>
    </>
  )
}
