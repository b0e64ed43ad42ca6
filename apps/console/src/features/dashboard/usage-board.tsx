import { BarChartOutlined } from '@ant-design/icons'
import type { UsageSum } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'
import { Cards } from './cards.tsx'
import { Legend } from './charts/legend.tsx'
import { useModelLook } from './charts/model-look.ts'
import { TimePanel } from './charts/time-panel.tsx'
import styles from './dashboard.module.css'
import { localCalendar, utcCalendar } from './data/calendar.ts'
import { totalOf, usageOf } from './data/usage.ts'
import { FirstSteps } from './first-steps.tsx'
import { stepsTakenQuery } from './queries.ts'
import { ModelsPanel } from './ranking/models-panel.tsx'
import { UsersPanel } from './ranking/users-panel.tsx'
import { isLong, shownStep, type Span, type View } from './view.ts'

interface Props {
  view: View
  span: Span
  rows: readonly UsageSum[]
  /** Of the same length of time before. */
  rowsBefore: readonly UsageSum[] | undefined
}

const NONE: ReadonlySet<string | null> = new Set()

/** Figures, charts and rankings of a span that is loaded. */
export function UsageBoard({ view, span, rows, rowsBefore }: Props) {
  const { start, until } = span
  const step = shownStep(view, span)
  const inUtc = isLong(span)
  const time = useMemo(() => ({ step, inUtc, from: start }), [step, inUtc, start])
  const usage = useMemo(
    () => usageOf(rows, { calendar: inUtc ? utcCalendar : localCalendar, step, start, until }),
    [rows, inUtc, step, start, until],
  )
  const before = useMemo(() => rowsBefore && totalOf(rowsBefore), [rowsBefore])
  const look = useModelLook(usage)
  const [hidden, setHidden] = useState(NONE)
  if (usage.total.requests === 0) return <Nothing view={view} />
  const parts = { usage, time, look, hidden }
  return (
    <>
      <Cards usage={usage} before={before} />
      <TimePanel
        {...parts}
        metric="quota"
        height={300}
        legend={<Legend series={usage.series} look={look} hidden={hidden} onChange={setHidden} />}
      />
      <div className={styles.pair}>
        <TimePanel {...parts} metric="requests" height={220} />
        <TimePanel {...parts} metric="tokens" height={220} />
      </div>
      <div className={view.scope === 'site' ? styles.pair : ''}>
        <ModelsPanel usage={usage} look={look} />
        {view.scope === 'site' && <UsersPanel span={span} />}
      </div>
    </>
  )
}

function Nothing({ view: { scope, username } }: Pick<Props, 'view'>) {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate()
  const { data: taken } = useQuery({ ...stepsTakenQuery, enabled: scope === 'site' })
  if (scope === 'site' && taken && !(taken.channel && taken.token)) {
    return (
      <section className={styles.panel}>
        <FirstSteps taken={taken} />
      </section>
    )
  }
  const hint = scope === 'user' ? t('empty.hintOfUser', { username }) : t(`empty.hint.${scope}`)
  return (
    <section className={styles.panel}>
      <EmptyState
        icon={<BarChartOutlined aria-hidden />}
        title={t('empty.title')}
        hint={hint}
        action={scope === 'self' && <Button onClick={() => void navigate('/app/tokens')}>{t('empty.action')}</Button>}
      />
    </section>
  )
}
