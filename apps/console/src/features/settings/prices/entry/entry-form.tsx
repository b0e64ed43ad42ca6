import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  Alert,
  AutoComplete,
  Button,
  Form,
  Segmented,
  type FormInstance,
  type InputRef,
} from '../../../../ui/kit/index.ts'
import { cardEntryOf, cardEntryProblems, cardOf } from '../card/card-entry.ts'
import { CardFields } from '../card/card-fields.tsx'
import { FIGURES, hasConflict, type Prices } from '../price-list.ts'
import styles from '../prices.module.css'
import { billedCompletionsQuery, enabledModelsQuery, listPriceQuery } from '../queries.ts'
import { unsetModels } from '../unset-models.ts'
import type { PriceDraft } from '../use-price-draft.ts'
import { EntryFields } from './entry-fields.tsx'
import type { Target } from './price-dialog.tsx'
import { entryOf, pricesOf, pricesOnto, problemsOf } from './price-entry.ts'

interface Props {
  form: FormInstance
  target: Target
  draft: PriceDraft
  /** Ratios and prices per call, or a rate card. */
  basis: Basis
  onBasis(basis: Basis): void
  onDone(): void
}

export type Basis = 'ratios' | 'rates'

const SHOWN_NAMES = 3

/** The fields of the dialog. Each opening begins anew. */
export function EntryForm({ form, target, draft, basis, onBasis, onDone }: Props) {
  const { t } = useTranslation('settings')
  const [name, setName] = useState('')
  const before: Prices = target.kind === 'one' ? target.prices : {}
  const [entry, setEntry] = useState(() => entryOf({ ...before, card: undefined }))
  const [card, setCard] = useState(() => cardEntryOf(before.card ?? {}))
  /** The name whose list price is shown: asked for once it is typed, not at every key. */
  const [listedName, setListedName] = useState(target.kind === 'one' ? target.name : '')
  const list = useQuery({ ...listPriceQuery(listedName), enabled: basis === 'rates' && listedName !== '' })
  const schedules = list.data?.schedules ?? {}
  const cardProblems = cardEntryProblems(card, list.data ? schedules : keptSchedules(before))
  const [tried, setTried] = useState(false)
  const first = useRef<InputRef>(null)
  const fields = useRef<HTMLDivElement>(null)
  const billed = useQuery(billedCompletionsQuery).data
  useEffect(() => first.current?.focus({ cursor: 'all' }), [])
  const nameProblem = target.kind === 'new' ? problemOfName(name.trim()) : undefined

  const submit = () => {
    setTried(true)
    const isWrong = basis === 'rates' ? cardProblems.size > 0 : Object.keys(problemsOf(entry)).length > 0
    if (nameProblem !== undefined || isWrong) return focusFirstProblem()
    draft.enter(pricedNames())
    onDone()
  }
  // What is wrong is marked by the next drawing.
  const focusFirstProblem = () =>
    requestAnimationFrame(() => fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())

  const pricedNames = () => {
    if (target.kind === 'new') return [[name.trim(), entered()] as const]
    if (target.kind === 'one') return [[target.name, entered()] as const]
    return target.names.map((one) => [one, pricesOnto(entry, draft.rowOf(one)?.prices ?? {})] as const)
  }
  /** Ratios stay beneath a card, and apply again once it is removed. */
  const entered = (): Prices => (basis === 'rates' ? { ...before, card: cardOf(card) } : pricesOf(entry))
  const removeCard = () => {
    const { card: _card, ...figures } = before
    const hasFigures = FIGURES.some((figure) => figures[figure] !== undefined)
    if (target.kind === 'one') draft.enter([[target.name, hasFigures ? figures : null]])
    onDone()
  }
  return (
    <Form className={styles.form} form={form} layout="vertical" requiredMark={false} onFinish={submit}>
      <div ref={fields}>
        {target.kind === 'many' && (
          <p className={styles.lead}>{t('prices.entry.batchHint', { names: someNames(target.names) })}</p>
        )}
        {target.kind !== 'many' && (
          <Form.Item label={t('prices.card.basis')}>
            <Segmented<Basis>
              aria-label={t('prices.card.basis')}
              value={basis}
              onChange={onBasis}
              options={[
                { value: 'ratios', label: t('prices.card.ratios') },
                { value: 'rates', label: t('prices.card.rates') },
              ]}
            />
          </Form.Item>
        )}
        {basis === 'ratios' && target.kind === 'one' && hasConflict(target.prices) && (
          <Alert className={styles.refusals} type="warning" showIcon title={t('prices.entry.conflict')} />
        )}
        {target.kind === 'new' && (
          <NameField
            draft={draft}
            value={name}
            onChange={setName}
            onLeave={() => setListedName(name.trim())}
            problem={tried || name !== '' ? nameProblem : undefined}
          />
        )}
        {basis === 'ratios' && before.card && (
          <Alert className={styles.refusals} type="info" showIcon title={t('prices.card.willRemove')} />
        )}
        {basis === 'rates' ? (
          <>
            <CardFields
              entry={card}
              onChange={setCard}
              problems={cardProblems}
              tried={tried}
              list={list}
              schedules={schedules}
            />
            {before.card && (
              <div className={styles.removeCard}>
                <Button danger size="small" onClick={removeCard}>
                  {t('prices.card.remove')}
                </Button>
              </div>
            )}
          </>
        ) : (
          <EntryFields
            entry={entry}
            onChange={setEntry}
            tried={tried}
            isBatch={target.kind === 'many'}
            builtIn={builtInOf()}
            firstField={first}
          />
        )}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </div>
    </Form>
  )

  function problemOfName(wanted: string): string | undefined {
    if (wanted === '') return t('prices.errors.name')
    const row = draft.rowOf(wanted)
    return row && row.state !== 'removed' ? t('prices.errors.taken') : undefined
  }

  function someNames(names: readonly string[]): string {
    const some = names.slice(0, SHOWN_NAMES).join(t('prices.entry.comma'))
    return names.length > SHOWN_NAMES ? t('prices.entry.batchMore', { names: some, count: names.length }) : some
  }

  /** Only what is billed while nothing is set tells what blank means. */
  function builtInOf(): number | undefined {
    if (target.kind !== 'one' || draft.stored.get(target.name)?.completion !== undefined) return undefined
    const ratio = billed?.get(target.name)
    return ratio === undefined ? undefined : Number(ratio.toPrecision(10))
  }
}

/** Until the hours are loaded, those that the stored card refers to count as known. */
function keptSchedules({ card }: Prices) {
  const names = (card?.tiers ?? []).flatMap(({ when: { schedule } }) => schedule ?? [])
  return Object.fromEntries(names.map((name) => [name, { utc: [], days: 'every' as const }]))
}

interface NameProps {
  draft: PriceDraft
  value: string
  onChange(name: string): void
  onLeave(): void
  problem: string | undefined
}

/** Any name can be priced; those that wait for a price are offered. */
function NameField({ draft, value, onChange, onLeave, problem }: NameProps) {
  const { t } = useTranslation('settings')
  const id = useId()
  const enabled = useQuery(enabledModelsQuery).data ?? []
  return (
    <Form.Item
      label={t('prices.entry.name')}
      htmlFor={id}
      validateStatus={problem ? 'error' : ''}
      {...(problem && { help: <span id={`${id}-problem`}>{problem}</span> })}
    >
      <AutoComplete
        id={id}
        className="mono"
        aria-invalid={problem !== undefined}
        {...(problem && { 'aria-describedby': `${id}-problem` })}
        value={value}
        onChange={onChange}
        onBlur={onLeave}
        showSearch={{ filterOption: true }}
        options={unsetModels(enabled, draft.stored).map((model) => ({ value: model }))}
      />
    </Form.Item>
  )
}
