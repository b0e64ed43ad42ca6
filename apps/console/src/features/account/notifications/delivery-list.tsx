import { BellOutlined, ReloadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import type { Delivery } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceTable } from '../../../components/resource/resource-table.tsx'
import { formatCount } from '../../../lib/format.ts'
import { usePageState } from '../../../lib/url-state.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { Facts } from '../../../ui/page/facts.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { Pager } from '../../../ui/table/pager.tsx'
import { RowCard } from '../../../ui/table/row-card.tsx'
import styles from '../account.module.css'
import { deliveriesQuery } from './api.ts'
import { DeliveryFacts, DeliveryStatus, IsoTime, Response, RetryButton, useTypeName } from './delivery-parts.tsx'

/** Notifications to the user, with their delivery status. */
export function DeliveryList() {
  const { t } = useTranslation('me')
  const { t: common } = useTranslation()
  const pages = usePageState()
  const deliveries = useQuery(deliveriesQuery(pages.page, pages.size))
  const columns = useDeliveryColumns()
  return (
    <section aria-labelledby="deliveries-heading">
      <div className={styles.head}>
        <div className={styles.heading}>
          <h2 id="deliveries-heading">{t('deliveries.title')}</h2>
          <p className={styles.hint}>{t('deliveries.hint')}</p>
        </div>
        <Button
          icon={<ReloadOutlined aria-hidden />}
          loading={deliveries.isFetching}
          onClick={() => void deliveries.refetch()}
        >
          {common('refresh')}
        </Button>
      </div>
      <ResourceTable<Delivery>
        label={t('deliveries.title')}
        rows={deliveries.data?.items}
        rowKey={keyOf}
        columns={columns}
        renderCard={(delivery) => <DeliveryCard delivery={delivery} />}
        expandRow={details}
        refreshing={deliveries.isFetching && deliveries.isPlaceholderData}
        error={deliveries.error}
        onRetry={deliveries.refetch}
        empty={
          pages.page === 1 ? (
            <EmptyState
              icon={<BellOutlined aria-hidden />}
              title={t('deliveries.empty')}
              hint={t('deliveries.emptyHint')}
              guide="guides/notifications#when-a-delivery-fails"
            />
          ) : (
            <EmptyState
              title={t('deliveries.emptyPage')}
              action={<Button onClick={() => pages.turn(1, pages.size)}>{t('deliveries.firstPage')}</Button>}
            />
          )
        }
        footer={<Pager state={pages} shown={deliveries.data?.items.length ?? 0} total={deliveries.data?.total ?? 0} />}
      />
    </section>
  )
}

const keyOf = (delivery: Delivery) => delivery.id
const details = (delivery: Delivery) => <DeliveryFacts delivery={delivery} />

type Columns = Column<Delivery>[]

function useDeliveryColumns(): Columns {
  const { t } = useTranslation('me')
  return useMemo(
    (): Columns => [
      {
        key: 'time',
        title: t('deliveries.columns.time'),
        render: (_, { created_at }) => <IsoTime time={created_at} />,
      },
      { key: 'kind', title: t('deliveries.columns.kind'), render: (_, { kind }) => t(`notices.types.${kind}`) },
      { key: 'type', title: t('deliveries.columns.type'), render: (_, { type }) => <TypeName type={type} /> },
      {
        key: 'target',
        title: t('deliveries.columns.target'),
        from: 1200,
        render: (_, { target }) => <span className={`mono ${styles.short}`}>{target}</span>,
      },
      {
        key: 'status',
        title: t('deliveries.columns.status'),
        render: (_, { status }) => <DeliveryStatus status={status} />,
      },
      {
        key: 'attempts',
        title: t('deliveries.columns.attempts'),
        from: 1200,
        align: 'right',
        render: (_, { attempts }) => <span className="number">{formatCount(attempts)}</span>,
      },
      {
        key: 'response',
        title: t('deliveries.columns.response'),
        render: (_, delivery) => (
          <span className={styles.short}>
            <Response delivery={delivery} />
          </span>
        ),
      },
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('deliveries.columns.actions')}</span>,
        align: 'right',
        render: (_, delivery) => <RetryButton delivery={delivery} />,
      },
    ],
    [t],
  )
}

function TypeName({ type }: { type: string }) {
  return useTypeName()(type)
}

function DeliveryCard({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation('me')
  const typeName = useTypeName()
  return (
    <RowCard
      title={typeName(delivery.type)}
      note={<IsoTime time={delivery.created_at} />}
      aside={<DeliveryStatus status={delivery.status} />}
      actions={<RetryButton delivery={delivery} />}
      details={
        <>
          <Facts
            facts={[
              { term: t('deliveries.columns.kind'), value: t(`notices.types.${delivery.kind}`) },
              { term: t('deliveries.columns.attempts'), value: formatCount(delivery.attempts) },
              { term: t('deliveries.columns.response'), value: <Response delivery={delivery} /> },
            ]}
          />
          <DeliveryFacts delivery={delivery} />
        </>
      }
    />
  )
}
