import { EXPORT_STATES, type ExportDelivery } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceTable } from '../../components/resource/resource-table.tsx'
import { useChange } from '../../components/resource/use-change.ts'
import { formatCount } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { StatusTag, type RowTone } from '../../ui/feedback/status-tag.tsx'
import { Button, Select } from '../../ui/kit/index.ts'
import { SideDrawer } from '../../ui/overlay/side-drawer.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import { NUMBER, type Column } from '../../ui/table/columns.ts'
import { Pager } from '../../ui/table/pager.tsx'
import { RowButton } from '../../ui/table/row-button.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import { deliveriesQuery, EXPORTS, exportsQuery, retryAll, retryDelivery, type Scope } from './api.ts'
import styles from './exports.module.css'

interface Props {
  scope: Scope
  id: number
  open: boolean
  onClose(): void
}

/** The deliveries of a destination. Failed ones can be sent again. */
export default function DeliveriesDrawer({ scope, id, open, onClose }: Props) {
  const { t } = useTranslation('exports')
  const [state, setState] = useState<'' | ExportDelivery['state']>('')
  const pages = useLocalPages()
  const destination = useQuery(exportsQuery(scope)).data?.items.find((item) => item.id === id)
  const query = useQuery({ ...deliveriesQuery(scope, id, { state, ...pages }), enabled: open })
  const retry = useChange(EXPORTS, (delivery: number) => retryDelivery(scope, delivery))
  const resendAll = useChange(EXPORTS, () => retryAll(scope, id))
  const resend = (delivery: ExportDelivery) =>
    retry(delivery.id).then(
      () => toast.success(t('deliveries.queued', { count: 1 })),
      () => {}, // a toast shows the error
    )
  const columns = useDeliveryColumns(resend)
  return (
    <SideDrawer title={t('deliveries.title', { name: destination?.name ?? '' })} open={open} onClose={onClose}>
      <div className={styles.tools}>
        <Select
          aria-label={t('deliveries.state')}
          className={styles.state}
          value={state}
          onChange={(value) => {
            pages.turn(1)
            setState(value)
          }}
          options={[
            { value: '', label: t('deliveries.all') },
            ...EXPORT_STATES.filter((value) => value !== 'sending').map((value) => ({
              value,
              label: t(`deliveries.states.${value}`),
            })),
          ]}
        />
        <Button
          disabled={(destination?.failed ?? 0) === 0}
          onClick={() =>
            void resendAll(undefined).then(
              (count) => toast.success(t('deliveries.queued', { count })),
              () => {},
            )
          }
        >
          {t('deliveries.resendAll')}
        </Button>
      </div>
      {destination !== undefined && destination.last_error !== '' && (
        <p className={styles.error}>{destination.last_error}</p>
      )}
      <ResourceTable<ExportDelivery>
        label={t('deliveries.list')}
        rows={query.data?.items}
        rowKey={keyOf}
        columns={columns}
        renderCard={(delivery) => <DeliveryCard delivery={delivery} resend={resend} />}
        expandRow={details}
        refreshing={query.isFetching && query.isPlaceholderData}
        error={query.error}
        onRetry={query.refetch}
        empty={<EmptyState title={t('deliveries.empty')} hint={t('deliveries.emptyHint')} />}
        footer={<Pager isFixed state={pages} shown={query.data?.items.length ?? 0} total={query.data?.total ?? 0} />}
      />
    </SideDrawer>
  )
}

const keyOf = ({ id }: ExportDelivery) => id
const details = (delivery: ExportDelivery) => <DeliveryFacts delivery={delivery} />

/** The URL has the page of the list under the drawer. */
function useLocalPages() {
  const [{ page, size }, set] = useState<{ page: number; size: 20 | 50 | 100 }>({ page: 1, size: 20 })
  return { page, size, turn: (next: number) => set({ page: next, size }) }
}

type Resend = (delivery: ExportDelivery) => Promise<unknown>

function useDeliveryColumns(resend: Resend): Column<ExportDelivery>[] {
  const { t } = useTranslation('exports')
  return useMemo(
    (): Column<ExportDelivery>[] => [
      { key: 'time', title: t('deliveries.columns.time'), render: (_, { created_at: at }) => <IsoTime time={at} /> },
      {
        key: 'records',
        title: t('deliveries.columns.records'),
        ...NUMBER,
        render: (_, { records }) => formatCount(records),
      },
      { key: 'state', title: t('deliveries.columns.state'), render: (_, { state }) => <DeliveryState state={state} /> },
      {
        key: 'attempts',
        title: t('deliveries.columns.attempts'),
        ...NUMBER,
        render: (_, { attempts }) => formatCount(attempts),
      },
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('columns.actions')}</span>,
        align: 'right',
        render: (_, delivery) => <ResendButton delivery={delivery} resend={resend} />,
      },
    ],
    [t, resend],
  )
}

function DeliveryCard({ delivery, resend }: { delivery: ExportDelivery; resend: Resend }) {
  const { t } = useTranslation('exports')
  return (
    <RowCard
      title={t('deliveries.records', { count: delivery.records })}
      aside={<DeliveryState state={delivery.state} />}
      note={<IsoTime time={delivery.created_at} />}
      problem={delivery.state === 'failed' && delivery.error}
      actions={<ResendButton delivery={delivery} resend={resend} />}
      details={<DeliveryFacts delivery={delivery} />}
    />
  )
}

function DeliveryFacts({ delivery }: { delivery: ExportDelivery }) {
  const { t } = useTranslation('exports')
  const { error, response_status: status, response_body: body, next_attempt_at: next, rejected } = delivery
  return (
    <>
      <Facts
        facts={[
          { term: t('deliveries.from'), value: <IsoTime time={delivery.first_time} /> },
          { term: t('deliveries.to'), value: <IsoTime time={delivery.last_time} /> },
          { term: t('deliveries.response'), value: status === null ? '–' : `HTTP ${status}` },
          ...(next === null ? [] : [{ term: t('deliveries.next'), value: <IsoTime time={next} /> }]),
          ...(rejected === 0 ? [] : [{ term: t('deliveries.rejected'), value: formatCount(rejected) }]),
        ]}
      />
      {error !== '' && <p className={styles.error}>{error}</p>}
      {body !== '' && <code className={styles.response}>{body}</code>}
    </>
  )
}

function ResendButton({ delivery, resend }: { delivery: ExportDelivery; resend: Resend }) {
  const { t } = useTranslation('exports')
  if (delivery.state !== 'failed') return null
  return (
    <RowButton outlined label={t('deliveries.resendOne', { id: delivery.id })} onClick={() => void resend(delivery)}>
      {t('deliveries.resend')}
    </RowButton>
  )
}

const TONES: Record<ExportDelivery['state'], RowTone> = {
  pending: 'info',
  sending: 'info',
  delivered: 'usual',
  failed: 'bad',
}

function DeliveryState({ state }: Pick<ExportDelivery, 'state'>) {
  const { t } = useTranslation('exports')
  return <StatusTag tone={TONES[state]}>{t(`deliveries.states.${state}`)}</StatusTag>
}

function IsoTime({ time }: { time: string }) {
  return <Time unixSeconds={Math.floor(Date.parse(time) / 1000)} exact />
}
