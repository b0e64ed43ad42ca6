import { useTranslation } from 'react-i18next'
import { Form, Input } from '../../../../ui/kit/index.ts'
import type { ChannelValues } from '../channel-values.ts'

export function LibraryIdField() {
  const { t } = useTranslation('channels')
  return (
    <Form.Item<ChannelValues> preserve name="other" label={t('vendor.libraryId')} extra={t('vendor.libraryIdHint')}>
      <Input className="mono" autoComplete="off" spellCheck={false} placeholder="123456" />
    </Form.Item>
  )
}
