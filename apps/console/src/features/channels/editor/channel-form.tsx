import { channelTypeOf, type ChannelDetail } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { App, Form } from '../../../ui/kit/index.ts'
import { suggestedModelsQuery } from '../queries.ts'
import { ADVANCED_FIELDS, AdvancedSection } from './advanced-section.tsx'
import {
  bodyOf,
  INITIAL_CHANNEL,
  untouchedValues,
  valuesOf,
  type ChannelBody,
  type ChannelValues,
} from './channel-values.ts'
import { ConnectionSection } from './connection-section.tsx'
import { ModelsSection } from './models-section.tsx'
import { RoutingSection } from './routing-section.tsx'
import { afterTypeChange } from './type-change.ts'

const WIDTH = 600

interface Props {
  open: boolean
  onClose(): void
  title: string
  placement: 'left' | 'right'
  channel?: ChannelDetail
  /** Stands above the fields. */
  notice?: ReactNode
  placeholder?: ReactNode
  submitText: string
  submitting: boolean
  onSubmit(body: ChannelBody): void
}

/** Everything about a channel, from the vendor to what is done to its answers. */
export function ChannelForm({ channel, notice, onSubmit, submitting, placeholder, ...drawer }: Props) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const [form] = Form.useForm<ChannelValues>()
  const suggestions = useQuery({ ...suggestedModelsQuery, enabled: drawer.open }).data ?? {}
  const [lastType, setLastType] = useState<number | null>(null)
  const [unfolded, setUnfolded] = useState<boolean | null>(null)
  const initial = channel ? valuesOf(channel) : INITIAL_CHANNEL
  const followServer = useEffectEvent((before: ChannelDetail, now: ChannelDetail) => {
    form.setFieldsValue(untouchedValues(valuesOf(before), valuesOf(now), form.getFieldsValue(true)))
  })
  const shown = useRef(channel)
  useEffect(() => {
    if (channel && shown.current) followServer(shown.current, channel)
    shown.current = channel
  }, [channel])
  // What is set should not hide.
  const isAdvanced = unfolded ?? ADVANCED_FIELDS.some((field) => initial[field].trim() !== '')

  const submit = (values: ChannelValues) => {
    const body = bodyOf(values, { singleKey: channelTypeOf(values.type)?.singleKey ?? false })
    const isNewAddress = body.base_url !== initial.base_url
    if (!isNewAddress || !body.base_url?.endsWith('/v1')) return onSubmit(body)
    modal.confirm({
      title: t('form.endsInV1.title'),
      content: t('form.endsInV1.text'),
      okText: t('form.endsInV1.keep'),
      cancelText: common('cancel'),
      onOk: () => onSubmit(body),
    })
  }
  const followType = (changed: Partial<ChannelValues>, { models = [] }: Partial<ChannelValues>) => {
    if (changed.type === undefined) return
    const types = { from: lastType ?? initial.type, to: changed.type }
    setLastType(changed.type)
    form.setFieldsValue(afterTypeChange({ ...types, models, suggestions, ...(channel && { stored: initial }) }))
  }
  return (
    <FormDrawer<ChannelValues>
      {...drawer}
      {...(placeholder !== undefined && { placeholder })}
      width={WIDTH}
      form={form}
      initialValues={initial}
      submitting={submitting}
      onSubmit={submit}
      onRepeat={() => toast.error(t('form.repeated'))}
      onInvalid={({ errorFields }) => {
        const isEmpty = (field: 'name' | 'key') => !form.getFieldValue(field)?.trim()
        if (!channel && (isEmpty('name') || isEmpty('key'))) toast.error(t('form.nameKeyRequired'))
        const isHidden = errorFields.some(({ name: [field] }) => ADVANCED_FIELDS.some((known) => known === field))
        // Unfolded before the first wrong field is looked for: what is hidden cannot have the focus.
        if (isHidden) flushSync(() => setUnfolded(true))
      }}
      onValuesChange={followType}
    >
      {notice}
      <ConnectionSection {...(channel && { channel })} />
      <ModelsSection {...(channel && { channel })} />
      <RoutingSection />
      <AdvancedSection open={isAdvanced} onToggle={() => setUnfolded(!isAdvanced)} />
    </FormDrawer>
  )
}
