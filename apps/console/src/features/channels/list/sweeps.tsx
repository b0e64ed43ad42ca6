import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../api/client.ts'
import { toast } from '../../../lib/toast.ts'
import { WorkNotice } from '../../../ui/feedback/progress-bar.tsx'
import { CHANNELS } from '../api.ts'

/** Jobs over all channels that run on the server. */
const SWEEPS = {
  tests: { start: api.testAllChannels, progress: api.getTestProgress, cancel: api.cancelTests },
  balances: { start: api.refreshAllBalances, progress: api.getBalanceProgress, cancel: api.cancelBalances },
} as const
export type SweepKind = keyof typeof SWEEPS

/** Each poll counts against the rate limit of the API. */
const POLL_MS = 2500

const progressQuery = (kind: SweepKind) =>
  queryOptions({
    queryKey: ['sweep', kind],
    queryFn: ({ signal }) => call(SWEEPS[kind].progress, { signal }),
    refetchInterval: ({ state }) => (state.data?.running ? POLL_MS : false),
    staleTime: 0,
    retry: false,
  })

export type Sweep = ReturnType<typeof useSweep>

/** A job, also if another administrator started it. */
export function useSweep(kind: SweepKind) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const progress = useQuery(progressQuery(kind)).data
  const reload = () => client.invalidateQueries({ queryKey: ['sweep', kind] })
  const start = useMutation({
    mutationFn: () => call(SWEEPS[kind].start),
    onSuccess: () => {
      toast.success(t(`sweep.${kind}.started`))
      return reload()
    },
  })
  const cancel = useMutation({ mutationFn: () => call(SWEEPS[kind].cancel), onSettled: reload })

  const isRunning = progress?.running ?? false
  const wasRunning = useRef(isRunning)
  useEffect(() => {
    if (wasRunning.current && !isRunning && progress) {
      const { done, total, failed } = progress
      if (progress.cancelled) toast.info(t(`sweep.${kind}.cancelled`, { done, total, failed }))
      else toast.success(t(`sweep.${kind}.finished`, { done, total, failed }))
      void client.invalidateQueries({ queryKey: CHANNELS })
    }
    wasRunning.current = isRunning
  }, [isRunning, progress, client, kind, t])

  return { progress, isRunning, start, cancel }
}

export function SweepNotice({ kind, sweep }: { kind: SweepKind; sweep: Sweep }) {
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
