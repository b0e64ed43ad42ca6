import * as api from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { DEFAULT_NAME, useStatus } from '../../api/status.ts'
import { TideEdge } from '../brand-motif.tsx'
import styles from './introduction.module.css'

/** The left half of a wide window: the name and the offer of the site. */
export default function Introduction() {
  const { t } = useTranslation('home')
  const { system_name: name } = useStatus()
  return (
    <div className={styles.view}>
      <div className={styles.offer}>
        <p className={styles.site}>{name || DEFAULT_NAME}</p>
        <p className={styles.headline}>
          <span>{t('title.models')}</span> <span>{t('title.api')}</span>
        </p>
        <p className={styles.tagline}>{t('tagline')}</p>
        <Counts />
      </div>
      <TideEdge className={styles.tide} />
    </div>
  )
}

/** How many models and providers the site has. Absent before there are any. */
function Counts() {
  const { t } = useTranslation('home')
  const { setup: isSetUp } = useStatus()
  const { data } = useQuery({
    queryKey: ['pricing', null],
    queryFn: ({ signal }) => call(api.getPricing, { signal }),
    staleTime: 60_000,
    enabled: isSetUp,
    meta: { showsErrors: true },
  })
  const models = data?.data ?? []
  const providers = new Set(models.map(({ owner_by: provider }) => provider).filter((provider) => provider !== ''))
  if (models.length === 0) return null
  return (
    <dl className={styles.counts}>
      <div>
        <dt>{t('facts.models')}</dt>
        <dd className="number">{models.length}</dd>
      </div>
      {providers.size > 1 && (
        <div>
          <dt>{t('facts.providers')}</dt>
          <dd className="number">{providers.size}</dd>
        </div>
      )}
    </dl>
  )
}
