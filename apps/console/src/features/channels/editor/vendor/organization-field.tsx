import { useTranslation } from 'react-i18next'
import { Form, Input } from '../../../../ui/kit/index.ts'
import type { ChannelValues } from '../channel-values.ts'

export function OrganizationField() {
  const { t } = useTranslation('channels')
  return (
    <Form.Item<ChannelValues>
      preserve
      name="openai_organization"
      label={t('vendor.organization')}
      extra={t('vendor.organizationHint')}
    >
      <Input className="mono" autoComplete="off" spellCheck={false} placeholder="org-…" />
    </Form.Item>
  )
}
