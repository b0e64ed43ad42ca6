import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { dollars } from '../../lib/format.ts'
import { useLast } from '../../lib/use-last.ts'
import {
  Alert,
  AutoComplete,
  Button,
  Form,
  Modal,
  Segmented,
  type FormInstance,
  type InputRef,
} from '../../ui/kit/index.ts'
import { readNumber, usdPerRatio } from './amounts.ts'
import { listPriceQuery } from './api.ts'
import { cardEntryOf, cardEntryProblems, cardOf } from './card-entry.ts'
import { CardFields } from './card-fields.tsx'
import { NumberField } from './fields.tsx'
import type { ModelRow } from './model-rows.ts'
import {
  entryOf,
  fieldsOf,
  pricesOf,
  pricesOnto,
  problemsOf,
  withText,
  type EntryField,
  type Mode,
  type PriceEntry,
  type Way,
} from './price-entry.ts'
import { FIGURES, hasConflict, type Prices } from './price-list.ts'
import styles from './prices.module.css'
import type { PriceDraft } from './use-price-draft.ts'

/** The edited models: one, several, or a new one. */
export type Target =
  | { kind: 'new' }
  | { kind: 'one'; name: string; prices: Prices }
  | { kind: 'many'; names: readonly string[] }

/** Ratios and prices per request, or a rate card. */
type Basis = 'ratios' | 'rates'

interface Props {
  target: Target | null
  draft: PriceDraft
  rows: readonly ModelRow[]
  onClose(): void
}

/** Sets the prices of one or several models in the draft. */
export function PriceDialog({ target, draft, rows, onClose }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const [form] = Form.useForm()
  const shown = useLast(target)
  /** The choice made since the dialog opened. */
  const [choice, setChoice] = useState<{ of: Target; basis: Basis } | null>(null)
  const stored = shown?.kind === 'one' && shown.prices.card ? 'rates' : 'ratios'
  const basis = choice !== null && choice.of === shown ? choice.basis : stored
  return (
    <Modal
      title={shown && titleOf(shown)}
      open={target !== null}
      onCancel={onClose}
      onOk={form.submit}
      okText={t('prices.entry.apply')}
      cancelText={common('cancel')}
      destroyOnHidden
      width={basis === 'rates' ? 860 : 560}
      {...(basis === 'rates' && { className: styles.cardDialog! })}
    >
      {shown && (
        <EntryForm
          form={form}
          target={shown}
          draft={draft}
          rows={rows}
          basis={basis}
          onBasis={(next) => setChoice({ of: shown, basis: next })}
          onClose={onClose}
        />
      )}
    </Modal>
  )

  function titleOf(of: Target): string {
    if (of.kind === 'new') return t('prices.entry.addTitle')
    if (of.kind === 'one') return t('prices.entry.editTitle', { name: of.name })
    return t('prices.entry.batchTitle', { count: of.names.length })
  }
}

interface FormProps extends Omit<Props, 'target'> {
  form: FormInstance
  target: Target
  basis: Basis
  onBasis(basis: Basis): void
}

const SHOWN_NAMES = 3

function EntryForm({ form, target, draft, rows, basis, onBasis, onClose }: FormProps) {
  const { t } = useTranslation('settings')
  const usd = usdPerRatio(useStatus().quota_per_unit)
  const [name, setName] = useState('')
  const before: Prices = target.kind === 'one' ? target.prices : {}
  const [entry, setEntry] = useState(() => entryOf({ ...before, card: undefined }, usd))
  const [card, setCard] = useState(() => cardEntryOf(before.card ?? {}))
  /** The name whose list price is shown. It follows the typed name when the field loses focus. */
  const [listedName, setListedName] = useState(target.kind === 'one' ? target.name : '')
  const list = useQuery({ ...listPriceQuery(listedName), enabled: basis === 'rates' && listedName !== '' })
  const schedules = list.data?.schedules ?? {}
  const cardProblems = cardEntryProblems(card, list.data ? schedules : knownSchedules(before))
  const [tried, setTried] = useState(false)
  const first = useRef<InputRef>(null)
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => first.current?.focus({ cursor: 'all' }), [])
  const nameProblem = target.kind === 'new' ? problemOfName(name.trim()) : undefined

  const submit = () => {
    setTried(true)
    const isWrong = basis === 'rates' ? cardProblems.size > 0 : Object.keys(problemsOf(entry)).length > 0
    if (nameProblem !== undefined || isWrong) return focusFirstProblem()
    draft.enter(pricedNames())
    onClose()
  }
  // Errors are marked by the next render.
  const focusFirstProblem = () =>
    requestAnimationFrame(() => fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())

  const pricedNames = () => {
    if (target.kind === 'new') return [[name.trim(), entered()] as const]
    if (target.kind === 'one') return [[target.name, entered()] as const]
    return target.names.map((one) => [one, pricesOnto(entry, pricesNow(one))] as const)
  }
  const pricesNow = (one: string) => rows.find((row) => row.name === one)?.prices ?? {}
  /** Ratios stay below a card and apply again after it is removed. */
  const entered = (): Prices => (basis === 'rates' ? { ...before, card: cardOf(card) } : pricesOf(entry))
  const removeCard = () => {
    const { card: _card, ...figures } = before
    const hasFigures = FIGURES.some((figure) => figures[figure] !== undefined)
    if (target.kind === 'one') draft.enter([[target.name, hasFigures ? figures : null]])
    onClose()
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
            names={rows.filter(({ isUnpriced }) => isUnpriced).map((row) => row.name)}
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
            usd={usd}
            tried={tried}
            isBatch={target.kind === 'many'}
            builtIn={target.kind === 'one' ? builtInOf(target.name) : undefined}
            firstField={first}
          />
        )}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </div>
    </Form>
  )

  function problemOfName(modelName: string): string | undefined {
    if (modelName === '') return t('prices.errors.name')
    const row = rows.find((known) => known.name === modelName)
    return row && !row.isUnpriced && row.state !== 'removed' ? t('prices.errors.taken') : undefined
  }

  function someNames(names: readonly string[]): string {
    const some = names.slice(0, SHOWN_NAMES).join(t('prices.entry.comma'))
    return names.length > SHOWN_NAMES ? t('prices.entry.batchMore', { names: some, count: names.length }) : some
  }

  /** A blank field means the published ratio only while no ratio is stored. */
  function builtInOf(model: string): number | undefined {
    if (draft.stored.get(model)?.completion !== undefined) return undefined
    return rows.find((row) => row.name === model)?.builtIn.completion
  }
}

/** Until the schedules are loaded, those of the stored card count as known. */
function knownSchedules({ card }: Prices) {
  const names = (card?.tiers ?? []).flatMap(({ when: { schedule } }) => schedule ?? [])
  return Object.fromEntries(names.map((name) => [name, { utc: [], days: 'every' as const }]))
}

interface NameProps {
  /** Unpriced models, as suggestions. */
  names: readonly string[]
  value: string
  onChange(name: string): void
  onLeave(): void
  problem: string | undefined
}

function NameField({ names, value, onChange, onLeave, problem }: NameProps) {
  const { t } = useTranslation('settings')
  const id = useId()
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
        options={names.map((model) => ({ value: model }))}
      />
    </Form.Item>
  )
}

interface EntryFieldsProps {
  entry: PriceEntry
  onChange(entry: PriceEntry): void
  /** USD per 1M tokens at a ratio of 1. */
  usd: number
  tried: boolean
  /** Several models: a blank field keeps the value of each. */
  isBatch: boolean
  /** The completion ratio that applies while none is set, if known. */
  builtIn: number | undefined
  firstField: Ref<InputRef>
}

const MODES: readonly Mode[] = ['tokens', 'call']
const WAYS: readonly Way[] = ['price', 'ratio']

/** Billing type and values. A change of prices updates the ratios, and the other way round. */
function EntryFields({ entry, onChange, usd, tried, isBatch, builtIn, firstField }: EntryFieldsProps) {
  const { t } = useTranslation('settings')
  const problems = problemsOf(entry)
  const equivalent = equivalentText()
  return (
    <>
      <div className={styles.choices}>
        <Form.Item label={t('prices.entry.mode')}>
          <Segmented<Mode>
            aria-label={t('prices.entry.mode')}
            value={entry.mode}
            onChange={(mode) => onChange({ ...entry, mode })}
            options={MODES.map((mode) => ({ value: mode, label: t(`prices.modes.${mode}`) }))}
          />
        </Form.Item>
        {entry.mode === 'tokens' && (
          <Form.Item label={t('prices.entry.way')}>
            <Segmented<Way>
              aria-label={t('prices.entry.way')}
              value={entry.way}
              onChange={(way) => onChange({ ...entry, way })}
              options={WAYS.map((way) => ({ value: way, label: t(`prices.entry.ways.${way}`) }))}
            />
          </Form.Item>
        )}
      </div>
      <div className={styles.fields}>
        {fieldsOf(entry).map((field, index) => (
          <NumberField
            key={field}
            {...(index === 0 && { ref: firstField })}
            label={t(`prices.entry.${field}`)}
            value={entry[field]}
            onChange={(text) => onChange(withText(entry, field, text, usd))}
            problem={problemText(field)}
            {...unitOf(field)}
            {...hintOf(field)}
          />
        ))}
      </div>
      {equivalent && <p className={styles.lead}>{t('prices.entry.worth', { words: equivalent })}</p>}
    </>
  )

  function problemText(field: EntryField): string | undefined {
    const problem = problems[field]
    return problem && (problem !== 'required' || tried) ? t(`prices.errors.${problem}`) : undefined
  }

  function unitOf(field: EntryField): { unit?: string; sign?: string } {
    if (field === 'price') return { sign: '$', unit: t('prices.entry.perCallUnit') }
    return entry.way === 'price' ? { sign: '$', unit: t('prices.entry.perMillionUnit') } : {}
  }

  function hintOf(field: EntryField): { hint?: string } {
    if (field === 'price' || field === 'input') return {}
    if (field === 'ratio') return { hint: t('prices.entry.ratioHint') }
    if (isBatch) return { hint: t('prices.entry.keepHint') }
    if (field === 'cache' || field === 'cached') return { hint: t('prices.entry.cacheHint') }
    if (field === 'output') return { hint: builtInPriceHint() }
    return {
      hint: builtIn === undefined ? t('prices.entry.multipleHint') : t('prices.entry.builtInHint', { ratio: builtIn }),
    }
  }

  function builtInPriceHint(): string {
    const input = readNumber(entry.input)
    if (builtIn === undefined || input === undefined) return t('prices.entry.multiplePriceHint')
    return t('prices.entry.builtInPriceHint', { price: dollars(input * builtIn, 2, 6) })
  }

  /** The values in the other notation; blank while they are incomplete. */
  function equivalentText(): string {
    if (entry.mode === 'call' || Object.keys(problems).length > 0) return ''
    const priceText = (key: 'worthInput' | 'worthOutput' | 'worthCached', text: string) => {
      const price = readNumber(text)
      return price === undefined
        ? ''
        : t(`prices.entry.${key}`, { price: t('prices.perMillion', { price: dollars(price, 2, 6) }) })
    }
    const parts =
      entry.way === 'ratio'
        ? [
            priceText('worthInput', entry.input),
            priceText('worthOutput', entry.output),
            priceText('worthCached', entry.cached),
          ]
        : [
            entry.ratio && t('prices.entry.worthRatio', { ratio: entry.ratio }),
            entry.completion && t('prices.entry.worthCompletion', { ratio: entry.completion }),
            entry.cache && t('prices.entry.worthCache', { ratio: entry.cache }),
          ]
    return parts.filter((part) => part !== '').join(t('prices.entry.comma'))
  }
}
