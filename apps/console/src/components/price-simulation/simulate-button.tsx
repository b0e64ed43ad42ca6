import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OptionChange } from '../../api/options.ts'
import { toast } from '../../lib/toast.ts'
import { useLast } from '../../lib/use-last.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { Button, Modal } from '../../ui/kit/index.ts'
import { LoadError } from '../resource/load-error.tsx'
import { SimulationResult } from './simulation-result.tsx'
import styles from './simulation.module.css'
import { simulatedChanges, simulationQuery, type SimulatedChange } from './simulation-query.ts'

interface Props {
  /** Returns the unsaved changes; null if the form has errors, which it shows itself. */
  read(): OptionChange[] | null | Promise<OptionChange[] | null>
}

/** Opens a dialog with the cost of the last seven days at unsaved prices. */
export function SimulateButton({ read }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const [changes, setChanges] = useState<SimulatedChange[] | null>(null)
  const shown = useLast(changes)
  const close = () => setChanges(null)
  const simulate = async () => {
    const unsaved = await read()
    if (unsaved === null) return
    const known = simulatedChanges(unsaved)
    if (known.length > 0) setChanges(known)
    else toast.info(t(unsaved.length === 0 ? 'unchanged' : 'prices.simulation.irrelevant'))
  }
  return (
    <>
      <Button type="link" onClick={() => void simulate()}>
        {t('prices.simulation.open')}
      </Button>
      <Modal
        title={t('prices.simulation.title')}
        open={changes !== null}
        onCancel={close}
        width={900}
        destroyOnHidden
        footer={<Button onClick={close}>{common('close')}</Button>}
      >
        <p className={styles.lead}>{t('prices.simulation.hint')}</p>
        {shown && <SimulationView changes={shown} />}
      </Modal>
    </>
  )
}

interface ViewProps {
  changes: readonly SimulatedChange[]
  /** The changes leave all prices as they are. */
  isBaseline?: boolean
}

/** Runs a simulation and shows its result. */
export function SimulationView({ changes, isBaseline = false }: ViewProps) {
  const { t } = useTranslation('settings')
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(simulationQuery(changes))
  if (error && !data) {
    return <LoadError title={t('prices.simulation.failed')} error={error} retrying={isFetching} onRetry={refetch} />
  }
  if (!data) return <SkeletonLines lines={8} />
  return (
    <div className={styles.result} data-dimmed={isPlaceholderData || undefined} aria-busy={isPlaceholderData}>
      <SimulationResult simulation={data} isBaseline={isBaseline} />
    </div>
  )
}
