import type { ConfigItem } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { StatusTag, type Tone } from '../../../ui/feedback/status-tag.tsx'
import { useOptionName } from '../history/use-option-name.ts'
import type { Options } from '../queries.ts'
import styles from './config-file.module.css'
import { ItemChanges } from './item-changes.tsx'

const TONES: Record<ConfigItem['action'], Tone> = {
  create: 'good',
  update: 'info',
  delete: 'bad',
  unchanged: 'neutral',
}

interface Props {
  item: ConfigItem
  options: Options | undefined
  isOpen: boolean
}

/** One option, the virtual models or one channel, folded over what would change in it. */
export function PlanItem({ item, options, isOpen }: Props) {
  const { t } = useTranslation('settings')
  const { kind, name, action, changes } = item
  const optionName = useOptionName()
  const title = kind === 'option' ? optionName(name) : kind === 'models' ? t('configFile.plan.models') : name
  const head = (
    <>
      <StatusTag tone={TONES[action]} plain>
        {t(`configFile.plan.actions.${action}`)}
      </StatusTag>
      <span className={styles.kind}>{t(`configFile.plan.kinds.${kind}`)}</span>
      <strong>{title}</strong>
    </>
  )
  if (action === 'unchanged') return <div className={styles.head}>{head}</div>
  if (action === 'delete') {
    return (
      <div className={styles.head}>
        {head}
        <span className={styles.hint}>{t('configFile.plan.removed')}</span>
      </div>
    )
  }
  return (
    <details className={styles.item} open={isOpen}>
      <summary>
        <span className={styles.head}>
          {head}
          <span className={styles.count}>{t('configFile.plan.changes', { count: changes.length })}</span>
        </span>
      </summary>
      <div className={styles.changes}>
        <ItemChanges item={item} options={options} />
      </div>
    </details>
  )
}
