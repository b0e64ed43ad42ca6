import { HEALTH_BUCKETS, HEALTH_BUCKET_SECONDS, type HealthBucket } from '@tidegate/contract/api'
import { createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { HealthStrip, type HealthPart } from '../../../ui/health-strip.tsx'

type Health = ReadonlyMap<number, readonly HealthBucket[]>

/** Apart from the rows, which need not be drawn anew when this arrives. */
export const HealthContext = createContext<Health>(new Map())

export function HealthCell({ ids, name }: { ids: readonly number[]; name: string }) {
  const { t } = useTranslation('channels')
  const health = useContext(HealthContext)
  return <HealthStrip parts={addUp(ids.map((id) => health.get(id) ?? []))} label={t('healthOf', { name })} />
}

/** The strips of several channels as one. Buckets begin at the same times for all of them. */
export function addUp(strips: readonly (readonly HealthBucket[])[], now = Date.now()): HealthPart[] {
  const parts = new Map(idleHour(now).map((part) => [part.time, part]))
  for (const { time, succeeded, failed, average_ms: average } of strips.flat()) {
    const before = parts.get(time) ?? { time, succeeded: 0, failed: 0, averageMs: 0 }
    const waited = before.averageMs * before.succeeded + average * succeeded
    const answered = before.succeeded + succeeded
    parts.set(time, {
      time,
      succeeded: answered,
      failed: before.failed + failed,
      averageMs: answered === 0 ? 0 : waited / answered,
    })
  }
  return [...parts.values()].toSorted((a, b) => a.time - b.time).slice(-HEALTH_BUCKETS)
}

/** Keeps the strip in its place before there is anything to show. */
function idleHour(now: number): HealthPart[] {
  const current = Math.floor(now / 1000 / HEALTH_BUCKET_SECONDS) * HEALTH_BUCKET_SECONDS
  return Array.from({ length: HEALTH_BUCKETS }, (_, index) => ({
    time: current - (HEALTH_BUCKETS - 1 - index) * HEALTH_BUCKET_SECONDS,
    succeeded: 0,
    failed: 0,
    averageMs: 0,
  }))
}
