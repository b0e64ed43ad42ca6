import type { OptionKey } from '@tidegate/contract/api'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isEditConflict } from '../../../api/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useStableActions } from '../../../lib/use-stable-actions.ts'
import { App, Form } from '../../../ui/kit/index.ts'
import { optionsQuery, useSaveOptions, type Options, type SaveResult } from '../api.ts'
import type { SectionActions } from './save-bar.tsx'
import { saveErrorText } from '../option-names.ts'
import {
  changesOf,
  valueOf,
  type FormValues,
  type KnownField,
  type OptionChange,
  type OptionTexts,
} from '../option-values.ts'

/** State of the form of one section: changes, saving and conflicts. */
export function useSectionForm(fields: readonly KnownField[], { texts, etags }: Pick<Options, 'texts' | 'etags'>) {
  const { t } = useTranslation('settings')
  const [form] = Form.useForm<FormValues>()
  const client = useQueryClient()
  const save = useSaveOptions()
  const confirmRisks = useConfirmRisks()
  const [initial] = useState(() => valuesOf(fields, texts))
  const [count, setCount] = useState(0)
  /** Number of saves. The fields of secrets are reset after each. */
  const [saves, setSaves] = useState(0)
  /** The stored texts that the form is compared with. */
  const base = useRef(texts)
  /** The versions of `base`. */
  const versions = useRef(etags)
  /** Options that another administrator changed before they were saved here. */
  const [conflicts, setConflicts] = useState<readonly OptionKey[]>([])

  const changes = () => changesOf(fields, base.current, form.getFieldsValue(true) as FormValues)
  const recount = () => setCount(changes().length)

  /** Compares these options with the current texts of the server from now on. */
  const rebase = (keys: readonly OptionKey[], current: Pick<Options, 'texts' | 'etags'>) => {
    base.current = { ...base.current, ...Object.fromEntries(keys.map((key) => [key, current.texts[key] ?? ''])) }
    versions.current = { ...versions.current, ...Object.fromEntries(keys.map((key) => [key, current.etags[key]])) }
  }

  const showServerValues = useEffectEvent((current: OptionTexts) => {
    const changed = new Set(changes().map(({ key }) => key))
    const others = fields.filter(({ key, facts }) => !changed.has(key) && !facts.secret)
    form.setFieldsValue(valuesOf(others, current))
    rebase(
      others.map(({ key }) => key),
      { texts: current, etags },
    )
  })
  useEffect(() => showServerValues(texts), [texts])

  /** Shows the current values of the options in conflict as warnings and keeps the form values. */
  const reload = async () => {
    const current = await client.fetchQuery({ ...optionsQuery, staleTime: 0 })
    rebase(conflicts, current)
    form.setFields(
      conflicts.map((key) => ({
        name: key,
        errors: [],
        warnings: [t('conflict.current', { value: shorten(current.texts[key] ?? '') })],
      })),
    )
    setConflicts([])
    recount()
  }

  const reset = (some: readonly KnownField[]) => {
    const stored = (field: KnownField) => storedValue(field, base.current)
    form.setFields(some.map((field) => ({ name: field.key, value: stored(field), errors: [], warnings: [] })))
    recount()
  }

  const undo = () => {
    reset(fields)
    setSaves(saves + 1)
  }

  /** Returns null if the user cancelled. */
  const saveChanges = async (): Promise<SaveResult | null> => {
    const changed = changes()
    const cancelled = await confirmRisks(changed)
    if (cancelled) {
      reset(fields.filter(({ key }) => key === cancelled))
      return null
    }
    const result = await save.mutateAsync(changed.map((change) => ({ ...change, etag: versions.current[change.key] })))
    finish(result)
    return result
  }

  /** Shows the errors of the fields. */
  const validate = async (): Promise<boolean> => {
    try {
      await form.validateFields()
    } catch (error) {
      const { errorFields } = error as { errorFields: { name: (string | number)[] }[] }
      if (errorFields[0]) form.scrollToField(errorFields[0].name, { focus: true, block: 'center' })
      return false
    }
    const invalid = invalidFallbackPrices(form.getFieldsValue(true) as FormValues)
    if (invalid.length === 0) return true
    showErrors(invalid.map((key) => ({ key, text: t('errors.fallback') })))
    return false
  }

  /** The unsaved changes, or null if a field is invalid. */
  const readUnsaved = () =>
    form.validateFields().then(
      () => changes(),
      () => {
        toast.error(t('check'))
        return null
      },
    )

  const finish = ({ saved, failures }: SaveResult) => {
    for (const { key, value, etag } of saved) {
      const field = fields.find((known) => known.key === key)!
      rebase([key], { texts: { [key]: value }, etags: { [key]: etag } })
      form.setFields([{ name: key, errors: [], warnings: [], ...(field.facts.secret && { value: '' }) }])
    }
    setConflicts(failures.filter(({ error }) => isEditConflict(error)).map(({ change }) => change.key))
    setSaves(saves + 1)
    recount()
    if (failures.length > 0)
      showErrors(failures.map(({ change, error }) => ({ key: change.key, text: saveErrorText(error) })))
  }

  const showErrors = (errors: { key: OptionKey; text: string }[]) => {
    form.setFields(errors.map(({ key, text }) => ({ name: key, errors: [text] })))
    form.scrollToField(errors[0]!.key, { focus: true, block: 'center' })
  }

  return {
    form,
    initial,
    count,
    saves,
    conflicts,
    reload,
    actions: useStableActions<SectionActions>({ validate, save: saveChanges, undo }),
    recount,
    readUnsaved,
  }
}

const MAX_SHOWN = 200

/** Some options contain whole price lists. */
function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

function valuesOf(fields: readonly KnownField[], texts: OptionTexts): FormValues {
  return Object.fromEntries(fields.map((field) => [field.key, storedValue(field, texts)]))
}

/** Secrets are never loaded, so their fields start blank. */
function storedValue(field: KnownField, texts: OptionTexts) {
  return field.facts.secret ? '' : valueOf(field, texts[field.key] ?? '')
}

/** Asks for confirmation of changes with wide effects. Resolves to the option that was cancelled, if any. */
function useConfirmRisks() {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const confirm = (change: 'PasswordLoginEnabled' | 'QuotaPerUnit' | 'trustedHtml') =>
    new Promise<boolean>((resolve) => {
      modal.confirm({
        title: t(`cautions.${change}.title`),
        content: t(`cautions.${change}.text`),
        okText: t('cautions.confirm'),
        cancelText: common('cancel'),
        okButtonProps: { danger: true },
        onOk: () => resolve(true),
        onCancel: () => resolve(false),
      })
    })
  return async (changes: readonly OptionChange[]): Promise<OptionKey | undefined> => {
    for (const { key, value } of changes) {
      if (key === 'QuotaPerUnit' && !(await confirm(key))) return key
      if (key === 'content.trusted_html_enabled' && value === 'true' && !(await confirm('trustedHtml'))) return key
      if (key === 'PasswordLoginEnabled' && value === 'false' && !(await confirm(key))) return key
    }
    return undefined
  }
}

/** The fallback prices are one price per request, or ratios for input and output. Returns the fields to mark. */
export function invalidFallbackPrices(values: FormValues): OptionKey[] {
  const has = (key: OptionKey) => typeof values[key] === 'number'
  const single = has('fallback_single_price')
  const input = has('fallback_input_ratio')
  const completion = has('fallback_completion_ratio')
  const isMixed = single && (input || completion)
  const isIncomplete = values.fallback_pricing_enabled === true && !single && !(input && completion)
  if (isMixed) return ['fallback_single_price']
  return isIncomplete ? ['fallback_pricing_enabled'] : []
}
