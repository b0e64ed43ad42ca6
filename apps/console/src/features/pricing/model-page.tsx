import { ArrowLeftOutlined, FileSearchOutlined } from '@ant-design/icons'
import type { PricedModel } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useProviderName } from '../../components/provider-name.ts'
import { Link, useNavigate, useParams } from 'react-router'
import { ModelProviderMark } from '../../components/provider-mark.tsx'
import { formatLimit } from '../../lib/format.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LoadError } from '../../components/resource/load-error.tsx'
import { Button } from '../../ui/kit/index.ts'
import { pricingQuery, usePriceReader } from './api.ts'
import { Abilities, BillingTag } from './columns.tsx'
import { ExampleCode } from './example-code.tsx'
import { Measured } from './measured.tsx'
import { GroupPrices, TierPrices } from './model-prices.tsx'
import styles from './pricing.module.css'

/** Capabilities, prices, metrics and example requests of one model. */
export default function ModelPage() {
  const { t } = useTranslation('pricing')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { model: name = '' } = useParams()
  const { userId } = usePriceReader()
  const list = useQuery(pricingQuery(userId))
  const model = list.data?.data.find(({ model_name }) => model_name === name)
  if (!list.data && list.error) {
    return (
      <section className={styles.panel}>
        <LoadError
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
          <Measured model={model.model_name} />
          <div className={styles.columns}>
            <div className={styles.column}>
              <GroupPrices model={model} ratios={list.data.group_ratio} descriptions={list.data.usable_group} />
              <TierPrices model={model} />
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
  const providerName = useProviderName()
  const { model_name: name, owner_by: vendor, stands_for: target, context, max_output: output } = model
  const facts = [
    vendor && t('byVendor', { vendor: providerName(vendor) }),
    context !== undefined && t('context', { size: formatLimit(context) }),
    output !== undefined && t('maxOutput', { size: formatLimit(output) }),
  ].filter(Boolean)
  return (
    <header className={styles.heading}>
      <div className={styles.headingLine}>
        <ModelProviderMark provider={vendor} size={24} />
        <h1 className={`mono ${styles.headingName}`}>{name}</h1>
        <CopyButton text={name} label={t('copyName', { name })} />
        <BillingTag model={model} />
      </div>
      {target && <p className={styles.headingFacts}>{t('standsForNow', { model: target })}</p>}
      {facts.length > 0 && <p className={styles.headingFacts}>{facts.join(' · ')}</p>}
      {model.abilities.length > 0 && <Abilities model={model} />}
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
            <SkeletonLines lines={6} title />
          </div>
        ))}
      </output>
    </>
  )
}
