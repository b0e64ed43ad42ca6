import { App, Form } from 'antd'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { FormDrawer } from '../../ui/form-drawer.tsx'
import { INITIAL_CHANNEL, type ChannelValues } from './channel-values.ts'
import { ConnectionFields } from './connection-fields.tsx'
import { ModelsField } from './models-field.tsx'
import { useCreateChannel } from './queries.ts'
import { RoutingFields } from './routing-fields.tsx'

interface Props {
  open: boolean
  onClose(): void
}

export function ChannelDrawer({ open, onClose }: Props) {
  const { t } = useTranslation('channels')
  const { modal } = App.useApp()
  const [form] = Form.useForm<ChannelValues>()
  const creation = useCreateChannel()

  const create = (values: ChannelValues) => {
    const { name, models, groups, key, priority, weight, type } = values
    const body = {
      type,
      name: name.trim(),
      key: key.trim(),
      base_url: withoutTrailingSlash(values.base_url),
      models: models.join(','),
      group: groups.join(','),
      priority: priority ?? 0,
      weight: weight ?? 0,
    }
    const onSuccess = () => {
      toast.success(t('form.created'))
      onClose()
    }
    if (!body.base_url.endsWith('/v1')) return creation.mutate(body, { onSuccess })
    modal.confirm({
      title: t('form.endsInV1.title'),
      content: t('form.endsInV1.text'),
      okText: t('form.endsInV1.keep'),
      onOk: () => creation.mutate(body, { onSuccess }),
    })
  }
  return (
    <FormDrawer<ChannelValues>
      title={t('form.title')}
      open={open}
      onClose={onClose}
      placement="left"
      width={600}
      form={form}
      initialValues={INITIAL_CHANNEL}
      onSubmit={create}
      submitting={creation.isPending}
      submitText={t('form.submit')}
    >
      <ConnectionFields />
      <ModelsField />
      <RoutingFields />
    </FormDrawer>
  )
}

const withoutTrailingSlash = (url: string) => url.trim().replace(/\/+$/, '')
