import { BellOutlined, ReloadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import type { Delivery } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { usePageState } from '../../../lib/url-state.ts'
import { ResourceTable } from '../../../components/resource/resource-table.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { Pager } from '../../../ui/table/pager.tsx'
import styles from '../account.module.css'
import { DeliveryCard } from './delivery-card.tsx'
import { DeliveryFacts } from './delivery-facts.tsx'
import { deliveriesQuery } from './queries.ts'
import { useDeliveryColumns } from './use-delivery-columns.tsx'

/** What was sent to the person, and how it went. */
export function DeliveryLog() {
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
