import { ArrowLeftOutlined, FileSearchOutlined } from '@ant-design/icons'
import type { PricedModel } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Button, Skeleton } from '../../ui/kit/index.ts'
import { Abilities } from './abilities.tsx'
import { BillingTag } from './list/cells.tsx'
import { ExampleCode } from './model/example-code.tsx'
import { GroupPrices } from './model/group-prices.tsx'
import { Measured } from './model/measured.tsx'
import { TierPrices } from './model/tier-prices.tsx'
import { formatLimit } from './prices.ts'
import styles from './pricing.module.css'
import { pricingQuery } from './queries.ts'
import { useReader } from './use-reader.ts'

/** All about one model: what it can do, what it costs, how it did here, how it is called. */
export default function ModelPage() {
  const { t } = useTranslation('pricing')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { model: name = '' } = useParams()
  const { userId } = useReader()
  const list = useQuery(pricingQuery(userId))
  const model = list.data?.data.find(({ model_name }) => model_name === name)
  if (!list.data && list.error) {
    return (
      <section className={styles.panel}>
        <ErrorState
          title={common('errors.loadFailed')}
          error={list.error}
          retrying={list.isFetching}
          onRetry={list.refetch}
        />
      </section>
    )
  }
  if (list.data && !model) {
    return (
      <EmptyState
        isPage
        icon={<FileSearchOutlined aria-hidden />}
        title={t('unknown.title')}
        hint={t('unknown.hint', { name })}
        action={
          <Button type="primary" onClick={() => void navigate('/pricing')}>
            {t('unknown.action')}
          </Button>
        }
      />
    )
  }
  return (
    <div className={styles.page}>
      <Link to="/pricing" className={styles.back}>
        <ArrowLeftOutlined aria-hidden /> {t('back')}
      </Link>
      {model && list.data ? (
        <>
          <Heading model={model} />
          <div className={styles.columns}>
            <div className={styles.column}>
              <GroupPrices model={model} ratios={list.data.group_ratio} descriptions={list.data.usable_group} />
              <TierPrices model={model} />
              <Measured model={model.model_name} />
            </div>
            <div className={styles.column}>
              <ExampleCode model={model.model_name} />
            </div>
          </div>
        </>
      ) : (
        <Loading name={name} />
      )}
    </div>
  )
}

function Heading({ model }: { model: PricedModel }) {
  const { t } = useTranslation('pricing')
  const { model_name: name, owner_by: vendor, stands_for: target, context, max_output: output } = model
  const facts = [
    vendor && t('byVendor', { vendor }),
    context !== undefined && t('context', { size: formatLimit(context) }),
    output !== undefined && t('maxOutput', { size: formatLimit(output) }),
  ].filter(Boolean)
  return (
    <header className={styles.heading}>
      <div className={styles.headingLine}>
        <h1 className={`mono ${styles.headingName}`}>{name}</h1>
        <CopyButton text={name} label={t('copyName', { name })} />
        <BillingTag model={model} />
      </div>
      {target && <p className={styles.headingFacts}>{t('standsForNow', { model: target })}</p>}
      {facts.length > 0 && <p className={styles.headingFacts}>{facts.join(' · ')}</p>}
      {model.abilities.length > 0 && <Abilities model={model} words />}
    </header>
  )
}

function Loading({ name }: { name: string }) {
  const { t } = useTranslation()
  return (
    <>
      <header className={styles.heading}>
        <h1 className={`mono ${styles.headingName}`}>{name}</h1>
      </header>
      <output className={styles.columns} aria-label={t('loading')}>
        {[0, 1].map((column) => (
          <div key={column} className={styles.panel}>
            <Skeleton active paragraph={{ rows: 6 }} />
          </div>
        ))}
      </output>
    </>
  )
}
