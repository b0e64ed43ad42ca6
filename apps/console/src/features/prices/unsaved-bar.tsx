import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText, isUnproved } from '../../api/errors.ts'
import { SimulatedSentence } from '../../components/price-simulation/simulated-sentence.tsx'
import { simulatedChanges, simulationQuery } from '../../components/price-simulation/simulation-query.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { ConflictNotice } from '../../ui/feedback/conflict-alert.tsx'
import { Alert, App, Button, Modal } from '../../ui/kit/index.ts'
import { largestChange } from './amounts.ts'
import type { ModelRow } from './model-rows.ts'
import styles from './prices.module.css'
import { Review, useReviewLines } from './review.tsx'
import type { PriceDraft } from './use-price-draft.ts'

interface Props {
  draft: PriceDraft
  rows: readonly ModelRow[]
  storedGroups: PriceDraft['groups']
  onDiscard(): void
}

const SIMULATION_PAUSE_MS = 400
/** A larger change needs a confirmation before it is published. */
const LARGE_CHANGE = 0.5

/** Shows the effect of the unpublished changes, and publishes or discards them. */
export function UnsavedBar({ draft, rows, storedGroups, onDiscard }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const [isReviewing, setIsReviewing] = useState(false)
  const changed = rows.filter(({ state }) => state !== 'same')
  const lines = useReviewLines()(changed, draft.groupNames, storedGroups, draft.groups)
  const count = draft.models.length + draft.groupNames.length
  if (draft.changes.length === 0) return null

  const publish = () => {
    const large = changed.filter(
      ({ state, before, after }) => state !== 'new' && largestChange(before, after) > LARGE_CHANGE,
    )
    setIsReviewing(false)
    if (large.length === 0) return void draft.publish()
    modal.confirm({
      title: t('prices.large.title', { count: large.length }),
      content: t('prices.large.text', { models: large.map(({ name }) => name).join(', ') }),
      okText: t('prices.publish'),
      cancelText: common('cancel'),
      onOk: () => void draft.publish(),
    })
  }
  return (
    <section className={styles.unsaved} aria-label={t('prices.unsavedLabel')}>
      {draft.failure !== null && (
        <Alert
          className={styles.refusals}
          type="error"
          showIcon
          title={isUnproved(draft.failure) ? t('unproved') : errorText(draft.failure)}
        />
      )}
      {draft.conflicts.length > 0 && (
        <ConflictNotice
          text={t('prices.changedMeanwhile', { names: draft.conflicts.join(', ') })}
          onReload={draft.reload}
        />
      )}
      <div className={styles.unsavedLine}>
        <output className={styles.unsavedCount}>{t('prices.changes', { count })}</output>
        <Effect draft={draft} />
        <span className={styles.unsavedActions}>
          <Button type="text" disabled={draft.saving} onClick={onDiscard}>
            {t('prices.discard')}
          </Button>
          <Button onClick={() => setIsReviewing(true)}>{t('prices.review')}</Button>
          <Button type="primary" loading={draft.saving} onClick={publish}>
            {t('prices.publish')}
          </Button>
        </span>
      </div>
      <Modal
        title={t('prices.reviewTitle')}
        open={isReviewing}
        onCancel={() => setIsReviewing(false)}
        onOk={publish}
        okText={t('prices.publish')}
        cancelText={common('close')}
        width={720}
        destroyOnHidden
      >
        <Review lines={lines} />
      </Modal>
    </section>
  )
}

function Effect({ draft }: { draft: PriceDraft }) {
  const { t } = useTranslation('settings')
  const changes = useDebounced(draft.changes, SIMULATION_PAUSE_MS)
  const simulated = simulatedChanges(changes)
  const query = useQuery({ ...simulationQuery(simulated), enabled: simulated.length > 0 })
  if (simulated.length === 0) return null
  if (query.error && !query.isFetching) {
    return (
      <span className={styles.effect}>
        {t('prices.simulation.failed')}
        <Button size="small" type="link" onClick={() => void query.refetch()}>
          {t('prices.retry')}
        </Button>
      </span>
    )
  }
  const isRunning = query.isFetching || changes !== draft.changes
  return (
    <span className={styles.effect} data-dimmed={isRunning || undefined} aria-busy={isRunning}>
      {query.data ? <SimulatedSentence simulation={query.data} /> : t('prices.simulating')}
    </span>
  )
}
