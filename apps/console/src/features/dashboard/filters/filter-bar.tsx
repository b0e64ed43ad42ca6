import { TIME_STEPS, type TimeStep } from '@tidegate/contract/api'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useUrlState } from '../../../lib/use-url-state.ts'
import { Segmented } from '../../../ui/kit/index.ts'
import styles from '../dashboard.module.css'
import {
  defaultRange,
  defaultScope,
  isLong,
  RANGES,
  SCOPES,
  shownStep,
  stepFor,
  type RangeName,
  type Scope,
  type Span,
  type View,
} from '../view.ts'

// Calendars and lists to choose from are heavy, and few people need them here.
const CustomRange = lazy(() => import('./custom-range.tsx'))
const UserPicker = lazy(() => import('./user-picker.tsx').then((module) => ({ default: module.UserPicker })))

interface Props {
  view: View
  span: Span
  isAdmin: boolean
  defaultStep: TimeStep
}

/** Whose use, of which time, in which steps. All of it is in the address. */
export function FilterBar({ view, span, isAdmin, defaultStep }: Props) {
  const { t } = useTranslation('dashboard')
  const { change } = useUrlState()
  const chooseScope = (scope: Scope) =>
    change({ of: scope === defaultScope({ isAdmin }) ? null : scope, ...(scope !== 'user' && { username: null }) })
  // A range brings the step that shows it best; what the custom one starts from is what is on the screen.
  const chooseRange = (range: RangeName) => {
    const own = range === 'custom' ? { start: span.start, end: span.until } : { start: null, end: null }
    const step = range === 'custom' ? shownStep(view, span) : stepFor(range, defaultStep)
    const isDefault = range === defaultRange({ defaultStep })
    change({ range: isDefault ? null : range, step: step === stepFor(range, defaultStep) ? null : step, ...own })
  }
  return (
    <search className={styles.filters} aria-label={t('filters.label')}>
      {isAdmin && (
        <Segmented<Scope>
          aria-label={t('filters.scope')}
          value={view.scope}
          onChange={chooseScope}
          options={SCOPES.map((scope) => ({ value: scope, label: t(`scopes.${scope}`) }))}
        />
      )}
      {view.scope === 'user' && (
        <Suspense>
          <UserPicker username={view.username} onChange={(username) => change({ of: 'user', username })} />
        </Suspense>
      )}
      <Segmented<RangeName>
        aria-label={t('filters.range')}
        value={view.range}
        onChange={chooseRange}
        options={RANGES.map((range) => ({ value: range, label: t(`ranges.${range}`) }))}
      />
      {view.range === 'custom' && (
        <Suspense>
          <CustomRange span={span} onChange={change} />
        </Suspense>
      )}
      <Segmented<TimeStep>
        aria-label={t('filters.step')}
        value={shownStep(view, span)}
        onChange={(step) => change({ step: step === stepFor(view.range, defaultStep) ? null : step })}
        options={TIME_STEPS.map((step) => ({
          value: step,
          label: t(`steps.${step}`),
          disabled: step === 'hour' && isLong(span),
        }))}
      />
    </search>
  )
}
