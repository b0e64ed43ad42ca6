import type { Schedule, TierConditions } from '@tidegate/contract/api'
import type { TFunction } from 'i18next'
import { formatCount } from '../../lib/format.ts'

/** The conditions of a tier as text: `input above 272,000 tokens, priority processing`. */
export function tierWords(
  when: TierConditions,
  t: TFunction<'rates'>,
  schedules: Readonly<Record<string, Schedule>> = {},
): string {
  const { inputAbove, inclusive, serviceTier, speed, region, schedule } = when
  const parts = [
    inputAbove !== undefined &&
      t(inclusive ? 'when.inputFrom' : 'when.inputAbove', { tokens: formatCount(inputAbove) }),
    serviceTier && t(`when.serviceTier.${serviceTier}`),
    speed && t(`when.speed.${speed}`),
    region && t(`when.region.${region}`),
    schedule && scheduleWords(schedule, schedules[schedule], t),
  ]
  return parts.filter(Boolean).join(t('comma'))
}

export function scheduleWords(name: string, schedule: Schedule | undefined, t: TFunction<'rates'>): string {
  if (!schedule) return t('when.hours', { name })
  const hours = schedule.utc.map(([from, to]) => `${from}–${to}`).join(t('comma'))
  return t(schedule.days === 'every' ? 'when.everyDay' : 'when.weekdays', { hours })
}
