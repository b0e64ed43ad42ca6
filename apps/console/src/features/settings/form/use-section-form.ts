import type { OptionKey } from '@tidegate/contract/api'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isEditConflict } from '../../../api/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { Form } from '../../../ui/kit/index.ts'
import { changesOf, valueOf, type FormValues, type KnownField, type OptionTexts } from '../option-values.ts'
import { optionsQuery, useSaveOptions, type Options, type SaveResult } from '../queries.ts'
import { refusalText } from './refusal-text.ts'
import { fallbackProblem } from './section-problem.ts'
import { useCaution } from './use-caution.ts'

/** The state of one section: what differs from the server, and how it gets there. */
export function useSectionForm(fields: readonly KnownField[], { texts, etags }: Pick<Options, 'texts' | 'etags'>) {
  const { t } = useTranslation('settings')
  const [form] = Form.useForm<FormValues>()
  const client = useQueryClient()
  const save = useSaveOptions()
  const askBeforeSaving = useCaution()
  const [initial] = useState(() => valuesOf(fields, texts))
  const [count, setCount] = useState(0)
  /** Counts saves, after which the fields of secrets begin anew. */
  const [saves, setSaves] = useState(0)
  /** What the controls were filled with. Changes by other administrators do not count as changes of this form. */
  const base = useRef(texts)
  /** The versions that belong to `base`. */
  const versions = useRef(etags)
  /** Options that another administrator changed before ours could be saved. */
  const [conflicts, setConflicts] = useState<readonly OptionKey[]>([])

  const changes = () => changesOf(fields, base.current, form.getFieldsValue(true) as FormValues)
  const recount = () => setCount(changes().length)

  /** From here on these options are compared with what the server has now. */
  const rebase = (keys: readonly OptionKey[], now: Pick<Options, 'texts' | 'etags'>) => {
    base.current = { ...base.current, ...Object.fromEntries(keys.map((key) => [key, now.texts[key] ?? ''])) }
    versions.current = { ...versions.current, ...Object.fromEntries(keys.map((key) => [key, now.etags[key]])) }
  }

  const followServer = useEffectEvent((now: OptionTexts) => {
    const mine = new Set(changes().map(({ key }) => key))
    const others = fields.filter(({ key, facts }) => !mine.has(key) && !facts.secret)
    form.setFieldsValue(valuesOf(others, now))
    rebase(
      others.map(({ key }) => key),
      { texts: now, etags },
    )
  })
  useEffect(() => followServer(texts), [texts])

  /** Loads the current values of options in conflict, says what they are, and keeps what was entered. */
  const reload = async () => {
    const now = await client.fetchQuery({ ...optionsQuery, staleTime: 0 })
    rebase(conflicts, now)
    form.setFields(
      conflicts.map((key) => ({
        name: key,
        errors: [],
        warnings: [t('conflict.current', { value: shorten(now.texts[key] ?? '') })],
      })),
    )
    setConflicts([])
    recount()
  }

  const restore = (some: readonly KnownField[]) => {
    const stored = (field: KnownField) => blankOrStored(field, base.current)
    form.setFields(some.map((field) => ({ name: field.key, value: stored(field), errors: [], warnings: [] })))
    recount()
  }

  const undo = () => {
    restore(fields)
    setSaves(saves + 1)
  }

  const submit = async () => {
    if (save.isPending) return
    const wanted = changes()
    if (wanted.length === 0) return toast.info(t('unchanged'))
    const marked = fallbackProblem(form.getFieldsValue(true) as FormValues)
    if (marked.length > 0) return mark(marked.map((key) => ({ key, text: t('errors.fallback') })))
    const cancelled = await askBeforeSaving(wanted)
    if (cancelled) return restore(fields.filter(({ key }) => key === cancelled))
    finish(await save.mutateAsync(wanted.map((change) => ({ ...change, etag: versions.current[change.key] }))))
  }

  /** What is not saved, once every field can be; null when one cannot, which is then told beside it. */
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
    if (failures.length === 0) return toast.success(t('saved'))
    const others = failures.filter(({ error }) => !isEditConflict(error))
    if (others.length > 0) toast.error(t(saved.length > 0 ? 'partlyFailed' : 'failed'))
    mark(failures.map(({ change, error }) => ({ key: change.key, text: refusalText(error) })))
  }

  const mark = (problems: { key: OptionKey; text: string }[]) => {
    form.setFields(problems.map(({ key, text }) => ({ name: key, errors: [text] })))
    form.scrollToField(problems[0]!.key, { focus: true, block: 'center' })
  }

  return {
    form,
    initial,
    count,
    saves,
    saving: save.isPending,
    conflicts,
    reload,
    submit,
    undo,
    recount,
    readUnsaved,
  }
}

const MAX_SHOWN = 200

/** Some options hold whole price lists. */
function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

function valuesOf(fields: readonly KnownField[], texts: OptionTexts): FormValues {
  return Object.fromEntries(fields.map((field) => [field.key, blankOrStored(field, texts)]))
}

function blankOrStored(field: KnownField, texts: OptionTexts) {
  return field.facts.secret ? '' : valueOf(field, texts[field.key] ?? '')
}
