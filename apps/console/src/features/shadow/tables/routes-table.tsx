import { SHADOW_ROWS_SHOWN, type ShadowRoute } from '@tidegate/contract/api'
import { ArrowRightOutlined } from '@ant-design/icons'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { ResourceTable } from '../../../components/resource/resource-table.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { RowCard } from '../../../ui/table/row-card.tsx'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { NUMBER, type Column } from '../../../ui/table/columns.ts'
import { ChannelName } from '../channel-name.tsx'
import styles from '../shadow.module.css'

interface Props {
  routes: readonly ShadowRoute[]
  refreshing: boolean
}

/** Which channel the old gateway took, and which one we would have taken. */
export function RoutesTable({ routes, refreshing }: Props) {
  const { t } = useTranslation('shadow')
  const columns = useRouteColumns()
  return (
    <ResourceTable
      label={t('routes.list')}
      rows={routes}
      rowKey={keyOf}
      columns={columns}
      renderCard={(route) => <RouteCard route={route} />}
      refreshing={refreshing}
      error={null}
      onRetry={() => {}}
      empty={<EmptyState title={t('routes.empty')} hint={t('routes.emptyHint')} />}
      footer={
        routes.length >= SHADOW_ROWS_SHOWN && (
          <p className={styles.most}>{t('routes.most', { count: routes.length })}</p>
        )
      }
    />
  )
}

function useRouteColumns(): Column<ShadowRoute>[] {
  const { t } = useTranslation('shadow')
  return useMemo(
    () => [
      { key: 'old', title: t('routes.columns.old'), render: (_, route) => <OldChannel route={route} /> },
      {
        key: 'ours',
        title: t('routes.columns.ours'),
        render: (_, route) => (
          <span className={styles.route}>
            <ArrowRightOutlined aria-hidden className="secondary" /> <OurChannel route={route} />
          </span>
        ),
      },
      { key: 'comparison', title: t('routes.columns.comparison'), render: (_, route) => <Comparison route={route} /> },
      {
        ...NUMBER,
        key: 'calls',
        title: t('routes.columns.calls'),
        render: (_, { calls }) => <span className="number">{formatCount(calls)}</span>,
      },
    ],
    [t],
  )
}

function RouteCard({ route }: { route: ShadowRoute }) {
  const { t } = useTranslation('shadow')
  return (
    <RowCard
      title={
        <span className={styles.route}>
          <OldChannel route={route} /> <ArrowRightOutlined aria-hidden className="secondary" />{' '}
          <OurChannel route={route} />
        </span>
      }
      aside={<span className="number">{t('callCount', { count: formatCount(route.calls) })}</span>}
    >
      <div>
        <Comparison route={route} />
      </div>
    </RowCard>
  )
}

interface RouteProps {
  route: ShadowRoute
}

const OldChannel = ({ route }: RouteProps) => <ChannelName id={route.old_channel_id} name={route.old_channel_name} />
const OurChannel = ({ route }: RouteProps) => <ChannelName id={route.channel_id} name={route.channel_name} />

function Comparison({ route: { old_channel_id: old, channel_id: ours } }: RouteProps) {
  const { t } = useTranslation('shadow')
  if (ours === null) return <StatusTag tone="bad">{t('routes.refused')}</StatusTag>
  return old === ours ? (
    <StatusTag tone="good">{t('routes.same')}</StatusTag>
  ) : (
    <StatusTag tone="warn">{t('routes.differs')}</StatusTag>
  )
}

const keyOf = ({ old_channel_id: old, channel_id: ours }: ShadowRoute) => `${old}/${ours}`
