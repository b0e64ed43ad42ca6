import { useTranslation } from 'react-i18next'
import { Form, Input } from '../../../../ui/kit/index.ts'
import type { ChannelValues } from '../channel-values.ts'

export function SparkVersionField() {
  const { t } = useTranslation('channels')
  return (
    <Form.Item<ChannelValues>
      preserve
      name="other"
      label={t('vendor.sparkVersion')}
      extra={t('vendor.sparkVersionHint')}
    >
      <Input className="mono" autoComplete="off" spellCheck={false} placeholder="v2.1" />
    </Form.Item>
  )
}
