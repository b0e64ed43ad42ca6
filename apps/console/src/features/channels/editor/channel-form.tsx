import { channelTypeOf, UNTESTABLE_TYPES, type ChannelDetail } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useContext, useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { useBusy } from '../../../lib/use-busy.ts'
import { FormSection } from '../../../ui/form/form-section.tsx'
import { FormDrawer } from '../../../ui/form/form-drawer.tsx'
import { App, Button, Form } from '../../../ui/kit/index.ts'
import { suggestedModelsQuery } from '../api.ts'
import { typeName } from '../../../components/channel-type-name.ts'
import { ChannelActionsContext } from '../list/actions.tsx'
import { AddSteps, TestButton, useAddSteps } from './add-steps.tsx'
import { ADVANCED_FIELDS, AdvancedSection } from './advanced-fields.tsx'
import {
  bodyOf,
  INITIAL_CHANNEL,
  untouchedValues,
  valuesOf,
  type ChannelBody,
  type ChannelValues,
} from './channel-values.ts'
import { BaseUrlField, ConnectionFields } from './connection-fields.tsx'
import { UnreadableKeys } from './key-fields.tsx'
import { MappingItem, ModelNameFields, ModelsField } from './model-fields.tsx'
import { PanelForm } from './panel-form.tsx'
import { LimitFields, RoutingFields } from './routing-fields.tsx'
import { afterTypeChange } from './provider-rules.ts'

interface Props {
  open: boolean
  onClose(): void
  title: string
  /** In the side panel instead of a drawer. */
  inPanel?(hasChanges: () => boolean): void
  channel?: ChannelDetail
  /** Above the fields. */
  notice?: ReactNode
  placeholder?: ReactNode
  submitText: string
  submitting: boolean
  /** `disabled`: the test of a new channel failed. */
  onSubmit(body: ChannelBody, options: { disabled: boolean }): void
}

/** All settings of a channel. */
export function ChannelForm({ channel, notice, onSubmit, submitting, placeholder, inPanel, ...drawer }: Props) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const [form] = Form.useForm<ChannelValues>()
  const suggestions = useQuery({ ...suggestedModelsQuery, enabled: drawer.open }).data ?? {}
  const [lastType, setLastType] = useState<number | null>(null)
  const [isAdvancedOpen, setAdvancedOpen] = useState(false)
  const initial = channel ? valuesOf(channel) : INITIAL_CHANNEL
  const followServer = useEffectEvent((before: ChannelDetail, now: ChannelDetail) => {
    form.setFieldsValue(untouchedValues(valuesOf(before), valuesOf(now), form.getFieldsValue(true)))
  })
  const shown = useRef(channel)
  useEffect(() => {
    if (channel && shown.current) followServer(shown.current, channel)
    shown.current = channel
  }, [channel])
  const advancedCount = ADVANCED_FIELDS.filter((field) => initial[field].trim() !== '').length
  const [hasBaseUrl, setHasBaseUrl] = useState(channel !== undefined)

  const type = Form.useWatch('type', form) ?? initial.type
  const suggestName = (type: number) => {
    if (!channel && !form.isFieldTouched('name')) form.setFieldValue('name', typeName(type, t))
  }
  const applyType = (to: number, models: readonly string[]) => {
    const from = lastType ?? initial.type
    setLastType(to)
    form.setFieldsValue(afterTypeChange({ from, to, models, suggestions, ...(channel && { stored: initial }) }))
    suggestName(to)
  }
  const steps = useAddSteps(form, {
    enabled: drawer.open && !channel && !inPanel && placeholder === undefined,
    suggestions,
    onType(to) {
      form.setFieldValue('type', to)
      applyType(to, (form.getFieldValue('models') as string[] | undefined) ?? [])
    },
    onKnownType: suggestName,
  })
  // Stays there: a base URL of the wrong provider must not disappear among the advanced settings.
  if (!hasBaseUrl && (steps.needsProvider || channelTypeOf(type)?.baseUrlRequired)) setHasBaseUrl(true)
  const send = (body: ChannelBody) => onSubmit(body, { disabled: steps.isFailed })

  const submit = (values: ChannelValues) => {
    const body = bodyOf(values, { singleKey: channelTypeOf(values.type)?.singleKey ?? false })
    const isNewAddress = body.base_url !== initial.base_url
    if (!isNewAddress || !body.base_url?.endsWith('/v1')) return send(body)
    modal.confirm({
      title: t('form.endsInV1.title'),
      content: t('form.endsInV1.text'),
      okText: t('form.endsInV1.keep'),
      cancelText: common('cancel'),
      onOk: () => send(body),
    })
  }
  const followType = (changed: Partial<ChannelValues>, { models = [] }: Partial<ChannelValues>) => {
    if (changed.type === undefined) return
    applyType(changed.type, models)
  }
  const { open, title, ...rest } = drawer
  const frame = {
    ...rest,
    ...(steps.isFailed && { submitText: t('steps.anyway') }),
    form,
    initialValues: initial,
    submitting,
    onSubmit: submit,
    onRepeat: () => toast.error(t('form.repeated')),
    onInvalid: ({ errorFields }: { errorFields: { name: (string | number)[] }[] }) => {
      const isEmpty = (field: 'name' | 'key') => !form.getFieldValue(field)?.trim()
      if (!channel && (isEmpty('name') || isEmpty('key'))) toast.error(t('form.nameKeyRequired'))
      const hidden: readonly string[] = channel
        ? ADVANCED_FIELDS
        : [...ADVANCED_FIELDS, 'model_mapping', 'tag', ...(hasBaseUrl ? [] : ['base_url'])]
      // Expanded before the first invalid field gets the focus, because a hidden field cannot get it.
      if (errorFields.some(({ name: [field] }) => hidden.includes(String(field)))) {
        flushSync(() => setAdvancedOpen(true))
      }
    },
    onValuesChange: followType,
    ...(placeholder !== undefined && { placeholder }),
  }
  const advanced = { open: isAdvancedOpen, onToggle: () => setAdvancedOpen(!isAdvancedOpen) }
  const fields = channel ? (
    <>
      {notice}
      {channel.key === '' && <UnreadableKeys />}
      <FormSection title={t('form.connection')}>
        <ConnectionFields channel={channel} hasBaseUrl />
      </FormSection>
      <FormSection title={t('form.models')}>
        <ModelsField channel={channel} />
        <MappingItem />
        <ModelNameFields />
      </FormSection>
      <FormSection title={t('form.routing')}>
        <RoutingFields />
        <LimitFields />
      </FormSection>
      <AdvancedSection
        {...advanced}
        hint={advancedCount === 0 ? t('form.advancedHint') : t('form.advancedSet', { count: advancedCount })}
      />
    </>
  ) : (
    <>
      {notice}
      <AddSteps steps={steps} type={type} />
      <ConnectionFields hasBaseUrl={hasBaseUrl} />
      <ModelsField />
      <RoutingFields />
      <AdvancedSection {...advanced} hint={t('form.advancedNewHint')}>
        {!hasBaseUrl && <BaseUrlField type={type} />}
        <MappingItem />
        <ModelNameFields />
        <LimitFields />
      </AdvancedSection>
    </>
  )
  if (inPanel) {
    return (
      <PanelForm<ChannelValues> {...frame} onForm={inPanel}>
        {fields}
      </PanelForm>
    )
  }
  return (
    <FormDrawer<ChannelValues>
      {...frame}
      open={open}
      title={title}
      placement={channel ? 'right' : 'left'}
      {...(placeholder === undefined && {
        footerStart: channel ? <TestStoredButton channel={channel} /> : <TestButton steps={steps} />,
      })}
    >
      {fields}
    </FormDrawer>
  )
}

/** Tests the stored channel, without the changes in the form. */
function TestStoredButton({ channel }: { channel: ChannelDetail }) {
  const { t } = useTranslation('channels')
  const actions = useContext(ChannelActionsContext)
  const { busy, run } = useBusy<'test'>()
  if (!actions || UNTESTABLE_TYPES.has(channel.type)) return null
  return (
    <Button
      title={t('form.testSaved')}
      loading={busy !== null}
      onClick={() => run('test', () => actions.test(channel))}
    >
      {t('testIt')}
    </Button>
  )
}
