import { SIMULATED_OPTIONS } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../../lib/toast.ts'
import { Button } from '../../../../ui/kit/index.ts'
import type { OptionChange } from '../../option-values.ts'
import type { SimulatedChange } from '../queries.ts'
import { SimulationDialog } from './simulation-dialog.tsx'

type Read = OptionChange[] | null

interface Props {
  /** What is not saved; null when it cannot be, which the form has told. */
  read(): Read | Promise<Read>
}

/** Shows what unsaved prices would have made of the last week, for whoever wants to know before saving. */
export function SimulateButton({ read }: Props) {
  const { t } = useTranslation('settings')
  const [changes, setChanges] = useState<SimulatedChange[] | null>(null)
  const simulate = async () => {
    const unsaved = await read()
    if (unsaved === null) return
    const known = unsaved.filter(isSimulated)
    if (known.length > 0) setChanges(known)
    else toast.info(t(unsaved.length === 0 ? 'unchanged' : 'prices.simulation.irrelevant'))
  }
  return (
    <>
      <Button type="link" onClick={() => void simulate()}>
        {t('prices.simulation.open')}
      </Button>
      <SimulationDialog changes={changes} onClose={() => setChanges(null)} />
    </>
  )
}

function isSimulated(change: OptionChange): change is OptionChange & SimulatedChange {
  return SIMULATED_OPTIONS.some((key) => key === change.key)
}
