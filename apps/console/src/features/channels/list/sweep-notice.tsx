import { useTranslation } from 'react-i18next'
import { WorkNotice } from '../../../ui/work-notice.tsx'
import type { SweepKind, useSweep } from './sweeps.ts'

/** A pass over all channels while it runs. */
export function SweepNotice({ kind, sweep }: { kind: SweepKind; sweep: ReturnType<typeof useSweep> }) {
  const { t } = useTranslation('channels')
  const { progress, isRunning, cancel } = sweep
  if (!isRunning || !progress) return null
  return (
    <WorkNotice
      title={t(`sweep.${kind}.running`)}
      done={progress.done}
      total={progress.total}
      current={progress.current}
      {...(progress.failed > 0 && { aside: t('sweep.failed', { count: progress.failed }) })}
      cancelling={cancel.isPending}
      onCancel={() => cancel.mutate()}
    />
  )
}
