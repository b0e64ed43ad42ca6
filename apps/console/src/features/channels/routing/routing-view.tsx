import { ArrowDownOutlined, ArrowUpOutlined, DownOutlined, PartitionOutlined } from '@ant-design/icons'
import type { RoutePlan } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { groupNamesQuery } from '../../../api/group-names.ts'
import { ProviderMark } from '../../../components/provider-mark.tsx'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { formatCount } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { InlineNumber } from '../../../ui/form/inline-number.tsx'
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx'
import { Button, InputNumber, Select } from '../../../ui/kit/index.ts'
import { enabledModelsQuery, healthQuery, routePlanQuery, useSaveWeights } from '../api.ts'
import { useActions } from '../list/actions.tsx'
import { HealthCell, HealthContext, NumberKeys, useNumberCheck } from '../list/cells.tsx'
import { Excluded } from './excluded.tsx'
import styles from './routing.module.css'
import {
  actualShares,
  byShare,
  changedWeights,
  deviates,
  percent,
  sharesOf,
  type Tier,
  type Weights,
} from './shares.ts'

/** Which channels serve a model, in the order of attempts. */
export default function RoutingView() {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const { search, change } = useUrlState()
  const models = useQuery(enabledModelsQuery)
  const groups = useQuery(groupNamesQuery)
  const model = search.get('route_model') ?? models.data?.[0] ?? ''
  const group = search.get('route_group') ?? 'default'
  const promptTokens = Number(search.get('prompt')) || 0
  const plan = useQuery(routePlanQuery({ model, group, promptTokens }))
  const named = (names: readonly string[] = []) => names.map((name) => ({ value: name, label: name }))
  return (
    <>
      <search className={styles.question} aria-label={t('views.routing')}>
        <label>
          <span>{t('routing.model')}</span>
          <Select
            className={styles.model}
            aria-label={t('routing.model')}
            showSearch
            loading={models.isPending}
            value={model || null}
            placeholder={t('routing.model')}
            options={named(models.data)}
            onChange={(value: string) => change({ route_model: value })}
          />
        </label>
        <label>
          <span>{t('routing.group')}</span>
          <Select
            className={styles.group}
            aria-label={t('routing.group')}
            showSearch
            loading={groups.isPending}
            value={group}
            options={named(groups.data)}
            onChange={(value: string) => change({ route_group: value === 'default' ? null : value })}
          />
        </label>
        <label>
          <span>{t('routing.prompt')}</span>
          <InputNumber<number>
            aria-label={t('routing.prompt')}
            min={0}
            step={1000}
            precision={0}
            value={promptTokens}
            onChange={(value) => change({ prompt: value || null }, { replace: true })}
          />
        </label>
      </search>
      {content()}
    </>
  )

  function content() {
    if (plan.error) {
      return (
        <LoadError
          title={common('errors.loadFailed')}
          error={plan.error}
          retrying={plan.isFetching}
          onRetry={plan.refetch}
        />
      )
    }
    if (model === '' && !models.isPending) {
      return <EmptyState icon={<PartitionOutlined aria-hidden />} title={t('empty.title')} hint={t('routing.choose')} />
    }
    if (!plan.data) return <SkeletonRows rows={8} />
    return (
      <div className={styles.plan} data-refreshing={plan.isPlaceholderData || undefined}>
        <Plan key={`${model} ${group}`} plan={plan.data} />
      </div>
    )
  }
}

function Plan({ plan }: { plan: RoutePlan }) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const [edited, setEdited] = useState<Weights>(new Map())
  const save = useSaveWeights()
  const changed = changedWeights(plan, edited)
  const requests = plan.tiers.reduce((sum, tier) => sum + actualShares(tier).requests, 0)
  const channels = [...plan.tiers.flatMap((tier) => tier.channels), ...plan.excluded]
  const health = useQuery(healthQuery([...new Set(channels.map(({ channel_id: id }) => id))])).data
  const saveAll = () =>
    save.mutate(changed, {
      onSuccess: () => {
        toast.success(t('routing.saved', { count: changed.size }))
        setEdited(new Map())
      },
    })
  return (
    <HealthContext value={health}>
      {changed.size > 0 && <UnsavedGuard hasChanges={() => changed.size > 0} />}
      {plan.tiers.length === 0 ? (
        <EmptyState
          title={t('routing.none')}
          hint={t('routing.noneHint')}
          guide="guides/channels-and-failover#when-a-channel-fails"
        />
      ) : (
        <Summary plan={plan} edited={edited} />
      )}
      {plan.tiers.map((tier, index) => (
        <Fragment key={`${tier.group} ${tier.model} ${tier.priority}`}>
          {index > 0 && (
            <p className={styles.then}>
              <DownOutlined aria-hidden /> {t('routing.then')}
            </p>
          )}
          <TierCard
            tier={tier}
            position={index + 1}
            edited={edited}
            requests={requests}
            onWeight={(id, weight) => setEdited(new Map(edited).set(id, weight))}
          />
        </Fragment>
      ))}
      {changed.size > 0 && (
        <section className={styles.changes} aria-live="polite">
          <ul>
            {plan.tiers.flatMap((tier) =>
              tier.channels
                .filter(({ channel_id: id }) => changed.has(id))
                .map(({ channel_id: id, name, weight }) => (
                  <li key={`${tier.model} ${id}`}>
                    {t('routing.change', {
                      name,
                      from: weight,
                      to: changed.get(id),
                      before: percent(sharesOf(tier, new Map()).get(id)!),
                      after: percent(sharesOf(tier, edited).get(id)!),
                    })}
                  </li>
                )),
            )}
          </ul>
          <Button type="text" onClick={() => setEdited(new Map())}>
            {t('undo')}
          </Button>
          <Button type="primary" loading={save.isPending} onClick={saveAll}>
            {common('save')}
          </Button>
        </section>
      )}
      {plan.excluded.length > 0 && <Excluded channels={plan.excluded} />}
    </HealthContext>
  )
}

/** Who is asked first, what follows after a failure, and how many channels are left out. */
function Summary({ plan: { tiers, excluded }, edited }: { plan: RoutePlan; edited: Weights }) {
  const { t } = useTranslation('channels')
  const [first, ...fallbacks] = tiers
  const shares = sharesOf(first!, edited)
  const [main, ...others] = byShare(first!, shares)
  const counts = {
    fallbacks: new Set(fallbacks.flatMap(({ channels }) => channels.map(({ channel_id: id }) => id))).size,
    excluded: excluded.length,
  }
  return (
    <dl className={styles.summary}>
      <div>
        <dt>{t('routing.askedFirst')}</dt>
        <dd>
          <ProviderMark type={main!.type} />
          <span className={styles.mainName}>{main!.name}</span>
          <span className="number">{percent(shares.get(main!.channel_id)!)}</span>
          {others.length > 0 && <span className="secondary">{t('routing.others', { count: others.length })}</span>}
        </dd>
      </div>
      {(['fallbacks', 'excluded'] as const).map((kind) => (
        <div key={kind}>
          <dt>{t(`routing.${kind}`)}</dt>
          <dd className="number">{formatCount(counts[kind])}</dd>
        </div>
      ))}
    </dl>
  )
}

interface TierProps {
  tier: Tier
  /** The first tier has position 1. */
  position: number
  edited: Weights
  /** That all tiers served in the last hour. */
  requests: number
  onWeight(id: number, weight: number): void
}

function TierCard({ tier, position, edited, requests, onWeight }: TierProps) {
  const { t } = useTranslation('channels')
  const { open } = useActions()
  const check = useNumberCheck('weight')
  const [showsAll, setShowsAll] = useState(false)
  const shares = sharesOf(tier, edited)
  const largest = Math.max(...shares.values())
  const actual = actualShares(tier)
  const floor = tier.weight_floor
  // Sorted by the stored weights: rows must not move while a weight is edited.
  const sorted = byShare(tier, sharesOf(tier, new Map()))
  const shown = showsAll || sorted.length <= FIRST_CHANNELS + 2 ? sorted : sorted.slice(0, FIRST_CHANNELS)
  const isFirst = position === 1
  const name = tier.priority === null ? t('routing.anyPriority') : t('routing.priority', { priority: tier.priority })
  return (
    <section className={styles.tier} aria-label={name} data-first={isFirst || undefined}>
      <header className={styles.tierHead}>
        <span className={`number ${styles.position}`} aria-hidden>
          {position}
        </span>
        <h2 className={styles.heading}>{t(isFirst ? 'routing.first' : 'routing.fallback')}</h2>
        <StatusTag tone={isFirst ? 'info' : 'neutral'} plain>
          {name}
        </StatusTag>
        <span className={`secondary ${styles.served}`}>
          {t('routing.served', { model: tier.model, group: tier.group })}
          {requests > 0 && ` · ${t('routing.tierShare', { share: percent(actual.requests / requests) })}`}
        </span>
      </header>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>{t('routing.channel')}</th>
            <th className={styles.weight} title={floor > 0 ? t('routing.floorHint', { floor }) : undefined}>
              {t('columns.weight')} {floor > 0 && <span className={styles.floor}>+ {floor}</span>}
            </th>
            <th className={styles.share}>{t('routing.share')}</th>
            <th className={styles.actual} title={t('routing.actualHint')}>
              {t('routing.actual')}
            </th>
            <th className={styles.health}>{t('routing.health')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((channel) => {
            const { channel_id: id } = channel
            const share = shares.get(id)!
            return (
              <tr key={id}>
                <td>
                  <span className={styles.channel}>
                    <ProviderMark type={channel.type} />
                    <button type="button" className={styles.name} title={channel.name} onClick={() => open(id)}>
                      {channel.name}
                    </button>
                    {channel.circuit && channel.circuit.state !== 'closed' && (
                      <StatusTag tone="warn">{t(`routing.circuit.${channel.circuit.state}`)}</StatusTag>
                    )}
                  </span>
                </td>
                <td className={styles.weight} data-changed={edited.has(id) || undefined}>
                  <NumberKeys>
                    <InlineNumber
                      label={t('numberOf.weight', { name: channel.name })}
                      value={edited.get(id) ?? channel.weight}
                      check={check}
                      onSave={async (weight) => onWeight(id, weight)}
                    />
                  </NumberKeys>
                </td>
                <td className={styles.share}>
                  <span className={styles.bar} aria-hidden>
                    <span style={{ width: percent(share / largest) }} />
                  </span>
                  <span className="number">{percent(share)}</span>
                </td>
                <td className={`number ${styles.actual}`}>
                  <ActualShare
                    expected={sharesOf(tier, new Map()).get(id)!}
                    actual={actual.shares.get(id)}
                    requests={actual.requests}
                  />
                </td>
                <td className={styles.health}>
                  <HealthCell ids={[id]} name={channel.name} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {isFirst && floor > 0 && <p className={styles.formula}>{t('routing.floorHint', { floor })}</p>}
      {shown.length < sorted.length && (
        <Button type="link" className={styles.all} onClick={() => setShowsAll(true)}>
          {t('routing.more', { count: sorted.length - shown.length })}
        </Button>
      )}
    </section>
  )
}

interface ShareProps {
  expected: number
  /** Undefined without requests. */
  actual: number | undefined
  /** Of the tier. */
  requests: number
}

/** A share that chance does not explain is marked with its direction. */
function ActualShare({ expected, actual, requests }: ShareProps) {
  const { t } = useTranslation('channels')
  if (actual === undefined) return '–'
  const served = t('routing.requests', { number: formatCount(Math.round(actual * requests)) })
  if (!deviates(expected, actual, requests)) return <span title={served}>{percent(actual)}</span>
  const direction = actual > expected ? 'above' : 'below'
  const reason = t(`routing.${direction}`, { expected: percent(expected) })
  return (
    <span className={styles.deviating} title={`${reason} ${served}`}>
      {direction === 'above' ? <ArrowUpOutlined aria-hidden /> : <ArrowDownOutlined aria-hidden />} {percent(actual)}
      <span className="visually-hidden"> {reason}</span>
    </span>
  )
}

/** A tier starts with the channels that get the most requests. */
const FIRST_CHANNELS = 8
