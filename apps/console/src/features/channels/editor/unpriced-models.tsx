import type { BodyInput, findUnpricedModels } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { firstNames } from '../../../lib/first-names.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { useMaySetPrices } from '../../../lib/use-may-set-prices.ts'
import { Alert } from '../../../ui/kit/index.ts'
import { PricesLink } from '../../../ui/prices-link.tsx'
import styles from '../channels.module.css'
import { redirectBillingQuery, unpricedQuery } from '../queries.ts'
import type { UnpricedModel } from './name-unpriced.ts'

interface Props {
  models: string[]
  mapping: string
  prefix: string
}

const TYPING_PAUSE_MS = 350

/** Warns of models of the form that have no price under the name that they are billed by. */
export function UnpricedModels({ models, mapping, prefix }: Props) {
  const { t } = useTranslation('channels')
  // As text, because the list of models may be another one after each rendering.
  const body = useDebounced(
    JSON.stringify({ models, model_mapping: mapping, model_prefix: prefix } satisfies Body),
    TYPING_PAUSE_MS,
  )
  const { data = [] } = useQuery(unpricedQuery(JSON.parse(body) as Body))
  const unpriced = data.filter(({ model }) => models.includes(model))
  const billedByUpstreamName = useBilledByUpstreamName(unpriced)
  if (unpriced.length === 0) return null
  const { names, more } = firstNames(unpriced.map(describe))
  return (
    <Alert
      className={styles.unpriced}
      type="warning"
      showIcon
      title={t('form.unpriced')}
      description={
        <>
          <ul>
            {names.map((name) => (
              <li key={name}>{name}</li>
            ))}
            {more > 0 && <li>{t('form.unpricedMore', { count: more })}</li>}
          </ul>
          <PricesLink text={t('form.unpricedAction')} />
        </>
      }
    />
  )

  function describe({ clientName, upstreamName }: UnpricedModel): string {
    if (clientName === upstreamName || !billedByUpstreamName) return clientName
    return t('form.unpricedRenamed', { model: clientName, priceName: upstreamName })
  }
}

type Body = BodyInput<typeof findUnpricedModels>

/** An option decides. Only administrators who may set prices can read it, and only they need to know. */
function useBilledByUpstreamName(unpriced: readonly UnpricedModel[]): boolean {
  const hasRenamed = unpriced.some(({ clientName, upstreamName }) => clientName !== upstreamName)
  const enabled = useMaySetPrices() && hasRenamed
  return useQuery({ ...redirectBillingQuery, enabled }).data === false
}
