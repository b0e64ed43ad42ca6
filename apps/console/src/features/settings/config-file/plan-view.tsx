import type { ConfigPlan } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Alert, Button } from '../../../ui/kit/index.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { optionsQuery } from '../queries.ts'
import styles from './config-file.module.css'
import { countActions } from './count-actions.ts'
import { PlanItem } from './plan-item.tsx'

interface Props {
  plan: ConfigPlan
  applying: boolean
  onApply(): void
}

/** Few are easier to read than to unfold. */
const FEW = 4

/** What a file would change: how much on top, then each thing, to be unfolded. */
export function PlanView({ plan, applying, onApply }: Props) {
  const { t } = useTranslation('settings')
  const { data: options } = useQuery(optionsQuery)
  const [showsAll, setShowsAll] = useState(false)
  const { created, updated, removed, changed, unchanged } = countActions(plan)
  const shown = plan.items.filter(({ action }) => showsAll || action !== 'unchanged')
  if (changed === 0) return <Alert type="success" showIcon title={t('configFile.plan.nothing')} />
  return (
    <section className={styles.plan} aria-label={t('configFile.plan.title')}>
      <h4>{t('configFile.plan.title')}</h4>
      <p className={styles.counts}>
        {created > 0 && <StatusTag tone="good">{t('configFile.plan.create', { count: created })}</StatusTag>}
        {updated > 0 && <StatusTag tone="info">{t('configFile.plan.update', { count: updated })}</StatusTag>}
        {removed > 0 && <StatusTag tone="bad">{t('configFile.plan.delete', { count: removed })}</StatusTag>}
        {unchanged > 0 && <StatusTag tone="neutral">{t('configFile.plan.unchanged', { count: unchanged })}</StatusTag>}
      </p>
      <ul className={styles.items}>
        {shown.map((item, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- channels that go may share a name; the order never changes
          <li key={`${item.kind} ${item.name} ${index}`}>
            <PlanItem item={item} options={options} isOpen={changed <= FEW} />
          </li>
        ))}
      </ul>
      {unchanged > 0 && !showsAll && (
        <Button type="link" size="small" className={styles.more} onClick={() => setShowsAll(true)}>
          {t('configFile.plan.showUnchanged', { count: unchanged })}
        </Button>
      )}
      <Button type="primary" danger={removed > 0} loading={applying} onClick={onApply}>
        {t('configFile.plan.apply', { count: changed })}
      </Button>
    </section>
  )
}
