import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import type { ChannelValues } from '../channel-values.ts'

export function LibraryIdField() {
  const { t } = useTranslation('channels')
  return (
    <Form.Item<ChannelValues> preserve name="other" label={t('vendor.libraryId')} extra={t('vendor.libraryIdHint')}>
      <Input className="mono" autoComplete="off" spellCheck={false} placeholder="123456" />
    </Form.Item>
  )
}
