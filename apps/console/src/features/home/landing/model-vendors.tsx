import { ArrowRightOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '../../../lib/session.ts'
import { Skeleton } from '../../../ui/kit/index.ts'
import { offeredModelsQuery } from '../queries.ts'
import styles from './landing.module.css'
import { vendorsOf, type Vendor } from './vendors.ts'

const MOST_VENDORS = 8
const SHOWN_MODELS = 3

/** Whose models can be called here. Nothing at all while the site has none, or when they cannot be had. */
export function ModelVendors() {
  const { t } = useTranslation('home')
  const userId = useSession((session) => session.user?.id ?? null)
  const { data, isPending } = useQuery(offeredModelsQuery(userId))
  if (isPending) return <Skeleton className={styles.models} active title={{ width: 160 }} paragraph={{ rows: 4 }} />
  const models = data?.data ?? []
  if (models.length === 0) return null
  return (
    <section className={styles.models} aria-labelledby="models">
      <div className={styles.modelsLine}>
        <h2 id="models">{t('models.title', { count: models.length })}</h2>
        <Link to="/pricing" className={styles.all}>
          {t('models.all')} <ArrowRightOutlined aria-hidden />
        </Link>
      </div>
      <ul className={styles.vendors}>
        {vendorsOf(models)
          .slice(0, MOST_VENDORS)
          .map((vendor) => (
            <li key={vendor.name}>
              <VendorTile vendor={vendor} />
            </li>
          ))}
      </ul>
    </section>
  )
}

function VendorTile({ vendor: { name, models } }: { vendor: Vendor }) {
  const { t } = useTranslation('home')
  const search = name === '' ? '' : `?keyword=${encodeURIComponent(name)}`
  return (
    <Link to={`/pricing${search}`} className={styles.vendor}>
      <span className={styles.vendorName}>
        {name || t('models.others')} <span className={styles.count}>{models.length}</span>
      </span>
      {models.slice(0, SHOWN_MODELS).map((model) => (
        <code key={model} className={styles.model}>
          {model}
        </code>
      ))}
    </Link>
  )
}
