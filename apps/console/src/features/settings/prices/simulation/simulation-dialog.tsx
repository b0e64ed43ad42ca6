import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { Button, Modal, Skeleton } from '../../../../ui/kit/index.ts'
import { useLast } from '../../../../ui/use-last.ts'
import styles from '../prices.module.css'
import { simulationQuery, type SimulatedChange } from '../queries.ts'
import { SimulatedRows } from './simulated-rows.tsx'
import { SimulatedTotals } from './simulated-totals.tsx'

interface Props {
  /** Null while it is closed. */
  changes: readonly SimulatedChange[] | null
  onClose(): void
}

/** The calls of the last week at the prices of now and at the new ones. */
export function SimulationDialog({ changes, onClose }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const shown = useLast(changes)
  return (
    <Modal
      title={t('prices.simulation.title')}
      open={changes !== null}
      onCancel={onClose}
      width={900}
      destroyOnHidden
      footer={<Button onClick={onClose}>{common('close')}</Button>}
    >
      <p className={styles.lead}>{t('prices.simulation.hint')}</p>
      {shown && <Simulation changes={shown} />}
    </Modal>
  )
}

function Simulation({ changes }: { changes: readonly SimulatedChange[] }) {
  const { t } = useTranslation('settings')
  const { data, error, isFetching, refetch } = useQuery(simulationQuery(changes))
  if (error && !data) {
    return <ErrorState title={t('prices.simulation.failed')} error={error} retrying={isFetching} onRetry={refetch} />
  }
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 8 }} />
  if (data.rows.length === 0) {
    return <EmptyState title={t('prices.simulation.empty')} hint={t('prices.simulation.emptyHint')} />
  }
  return (
    <>
      <SimulatedTotals simulation={data} />
      <SimulatedRows simulation={data} />
    </>
  )
}
