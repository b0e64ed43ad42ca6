import { useQuery } from '@tanstack/react-query'
import { Alert, AutoComplete, Form, type FormInstance, type InputRef } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasConflict } from '../price-list.ts'
import styles from '../prices.module.css'
import { billedCompletionsQuery, enabledModelsQuery } from '../queries.ts'
import { unsetModels } from '../unset-models.ts'
import type { PriceDraft } from '../use-price-draft.ts'
import { EntryFields } from './entry-fields.tsx'
import type { Target } from './price-dialog.tsx'
import { entryOf, pricesOf, pricesOnto, problemsOf } from './price-entry.ts'

interface Props {
  form: FormInstance
  target: Target
  draft: PriceDraft
  onDone(): void
}

const SHOWN_NAMES = 3

/** The fields of the dialog. Each opening begins anew. */
export function EntryForm({ form, target, draft, onDone }: Props) {
  const { t } = useTranslation('settings')
  const [name, setName] = useState('')
  const [entry, setEntry] = useState(() => entryOf(target.kind === 'one' ? target.prices : {}))
  const [tried, setTried] = useState(false)
  const first = useRef<InputRef>(null)
  const fields = useRef<HTMLDivElement>(null)
  const billed = useQuery(billedCompletionsQuery).data
  useEffect(() => first.current?.focus({ cursor: 'all' }), [])
  const nameProblem = target.kind === 'new' ? problemOfName(name.trim()) : undefined

  const submit = () => {
    setTried(true)
    if (nameProblem !== undefined || Object.keys(problemsOf(entry)).length > 0) return focusFirstProblem()
    draft.enter(pricedNames())
    onDone()
  }
  // What is wrong is marked by the next drawing.
  const focusFirstProblem = () =>
    requestAnimationFrame(() => fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())

  const pricedNames = () => {
    if (target.kind === 'new') return [[name.trim(), pricesOf(entry)] as const]
    if (target.kind === 'one') return [[target.name, pricesOf(entry)] as const]
    return target.names.map((one) => [one, pricesOnto(entry, draft.rowOf(one)?.prices ?? {})] as const)
  }
  return (
    <Form className={styles.form} form={form} layout="vertical" requiredMark={false} onFinish={submit}>
      <div ref={fields}>
        {target.kind === 'many' && (
          <p className={styles.lead}>{t('prices.entry.batchHint', { names: someNames(target.names) })}</p>
        )}
        {target.kind === 'one' && hasConflict(target.prices) && (
          <Alert className={styles.refusals} type="warning" showIcon title={t('prices.entry.conflict')} />
        )}
        {target.kind === 'new' && (
          <NameField
            draft={draft}
            value={name}
            onChange={setName}
            problem={tried || name !== '' ? nameProblem : undefined}
          />
        )}
        <EntryFields
          entry={entry}
          onChange={setEntry}
          tried={tried}
          isBatch={target.kind === 'many'}
          builtIn={builtInOf()}
          firstField={first}
        />
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

interface NameProps {
  draft: PriceDraft
  value: string
  onChange(name: string): void
  problem: string | undefined
}

/** Any name can be priced; those that wait for a price are offered. */
function NameField({ draft, value, onChange, problem }: NameProps) {
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
        showSearch={{ filterOption: true }}
        options={unsetModels(enabled, draft.stored).map((model) => ({ value: model }))}
      />
    </Form.Item>
  )
}
