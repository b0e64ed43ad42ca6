import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { firstNames } from '../../../lib/first-names.ts'
import { PricesLink } from '../../../ui/prices-link.tsx'
import styles from '../channels.module.css'
import { unpricedQuery } from '../queries.ts'

interface Props {
  models: string[]
  mapping: string
  prefix: string
}

/** Warns of models of the form that have no price under the name that they are billed by. */
export function UnpricedModels({ models, mapping, prefix }: Props) {
  const { t } = useTranslation('channels')
  const { data } = useQuery(unpricedQuery({ models, model_mapping: mapping, model_prefix: prefix }))
  const unpriced = (data ?? []).filter((name) => models.includes(name))
  if (unpriced.length === 0) return null
  const { names, more } = firstNames(unpriced)
  const shown = more === 0 ? names : t('form.unpricedMore', { names, count: more })
  return (
    <Alert
      className={styles.unpriced}
      type="warning"
      showIcon
      title={t('form.unpriced', { models: shown })}
      action={<PricesLink text={t('form.unpricedAction')} />}
    />
  )
}
