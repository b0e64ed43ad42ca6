import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { firstNames } from '../../lib/first-names.ts'
import { Alert } from '../../ui/kit/index.ts'
import { PricesLink } from '../../ui/prices-link.tsx'
import { unpricedQuery } from './queries.ts'

/** Lists models of enabled channels that have no price; empty while all have one. */
export function UnpricedNotice() {
  const { t } = useTranslation('dashboard')
  const { data = [] } = useQuery(unpricedQuery)
  if (data.length === 0) return null
  const { names: first, more } = firstNames(data)
  const names = first.join(', ')
  const models = more === 0 ? names : t('unpricedMore', { names, count: more })
  return (
    <Alert
      type="warning"
      showIcon
      title={
        <>
          {t('unpriced', { models })} <PricesLink text={t('unpricedAction')} />
        </>
      }
    />
  )
}
