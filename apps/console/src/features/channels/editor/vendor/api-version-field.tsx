import { useTranslation } from 'react-i18next'
import { Form, Input } from '../../../../ui/kit/index.ts'
import type { ChannelValues } from '../channel-values.ts'

export function ApiVersionField() {
  const { t } = useTranslation('channels')
  return (
    <Form.Item<ChannelValues> preserve name="other" label={t('vendor.apiVersion')} extra={t('vendor.apiVersionHint')}>
      <Input className="mono" autoComplete="off" spellCheck={false} placeholder="2024-12-01-preview" />
    </Form.Item>
  )
}
