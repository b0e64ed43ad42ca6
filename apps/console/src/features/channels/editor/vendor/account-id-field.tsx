import { useTranslation } from 'react-i18next'
import { Form, Input } from '../../../../ui/kit/index.ts'
import type { ChannelValues } from '../channel-values.ts'

export function AccountIdField() {
  const { t } = useTranslation('channels')
  return (
    <Form.Item<ChannelValues>
      preserve
      name="other"
      label={t('vendor.accountId')}
      extra={t('vendor.accountIdHint')}
      rules={[{ required: true, whitespace: true, message: t('vendor.accountIdRequired') }]}
    >
      <Input className="mono" autoComplete="off" spellCheck={false} placeholder="d6b5da8hk1awo8nap34ube6gh" />
    </Form.Item>
  )
}
