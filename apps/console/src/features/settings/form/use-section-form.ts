import type { OptionKey } from '@tidegate/contract/api'
import { Form } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { changesOf, valueOf, type FormValues, type KnownField, type OptionTexts } from '../option-values.ts'
import { useSaveOptions, type SaveResult } from '../queries.ts'
import { refusalText } from './refusal-text.ts'
import { fallbackProblem } from './section-problem.ts'
import { useCaution } from './use-caution.ts'

/** The state of one section: what differs from the server, and how it gets there. */
export function useSectionForm(fields: readonly KnownField[], texts: OptionTexts) {
  const { t } = useTranslation('settings')
  const [form] = Form.useForm<FormValues>()
  const save = useSaveOptions()
  const mayGoOn = useCaution()
  const [initial] = useState(() => valuesOf(fields, texts))
  const [count, setCount] = useState(0)
  /** Counts saves, after which the fields of secrets begin anew. */
  const [saves, setSaves] = useState(0)
  /** What the controls were filled with. What somebody else saves meanwhile is no change of ours. */
  const base = useRef(texts)

  const changes = () => changesOf(fields, base.current, form.getFieldsValue(true) as FormValues)
  const recount = () => setCount(changes().length)

  const followServer = useEffectEvent((now: OptionTexts) => {
    const mine = new Set(changes().map(({ key }) => key))
    const others = fields.filter(({ key, facts }) => !mine.has(key) && !facts.secret)
    form.setFieldsValue(valuesOf(others, now))
    base.current = { ...base.current, ...Object.fromEntries(others.map(({ key }) => [key, now[key] ?? ''])) }
  })
  useEffect(() => followServer(texts), [texts])

  const undo = () => {
    form.setFields(fields.map((field) => ({ name: field.key, value: blankOrStored(field, base.current), errors: [] })))
    setSaves(saves + 1)
    recount()
  }

  const submit = async () => {
    if (save.isPending) return
    const wanted = changes()
    if (wanted.length === 0) return toast.info(t('unchanged'))
    const marked = fallbackProblem(form.getFieldsValue(true) as FormValues)
    if (marked.length > 0) return mark(marked.map((key) => ({ key, text: t('errors.fallback') })))
    if (!(await mayGoOn(wanted))) return
    finish(await save.mutateAsync(wanted))
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
    for (const { key, value } of saved) {
      const field = fields.find((known) => known.key === key)!
      base.current = { ...base.current, [key]: value }
      form.setFields([{ name: key, errors: [], ...(field.facts.secret && { value: '' }) }])
    }
    setSaves(saves + 1)
    recount()
    if (failures.length === 0) return toast.success(t('saved'))
    toast.error(t(saved.length > 0 ? 'partlyFailed' : 'failed'))
    mark(failures.map(({ change, error }) => ({ key: change.key, text: refusalText(error) })))
  }

  const mark = (problems: { key: OptionKey; text: string }[]) => {
    form.setFields(problems.map(({ key, text }) => ({ name: key, errors: [text] })))
    form.scrollToField(problems[0]!.key, { focus: true, block: 'center' })
  }

  return { form, initial, count, saves, saving: save.isPending, submit, undo, recount, readUnsaved }
}

function valuesOf(fields: readonly KnownField[], texts: OptionTexts): FormValues {
  return Object.fromEntries(fields.map((field) => [field.key, blankOrStored(field, texts)]))
}

function blankOrStored(field: KnownField, texts: OptionTexts) {
  return field.facts.secret ? '' : valueOf(field, texts[field.key] ?? '')
}
