import { useTranslation } from 'react-i18next'
import { Form, Input } from '../../../../ui/kit/index.ts'
import type { ChannelValues } from '../channel-values.ts'

export function PluginField() {
  const { t } = useTranslation('channels')
  return (
    <Form.Item<ChannelValues> preserve name="other" label={t('vendor.plugin')} extra={t('vendor.pluginHint')}>
      <Input className="mono" autoComplete="off" spellCheck={false} placeholder="plugin-id" />
    </Form.Item>
  )
}
