import { SETTINGS_AREA_NAMES } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { FormSection } from '../../../ui/form-section.tsx'
import { Checkbox, Form } from '../../../ui/kit/index.ts'
import type { UserValues } from './user-values.ts'

/** Areas of the settings that the super admin grants to an administrator. */
export function AreasSection() {
  const { t } = useTranslation('users')
  return (
    <FormSection title={t('areas.title')} hint={t('areas.hint')}>
      <Form.Item<UserValues> name="settings_areas">
        <Checkbox.Group options={SETTINGS_AREA_NAMES.map((area) => ({ value: area, label: t(`areas.${area}`) }))} />
      </Form.Item>
    </FormSection>
  )
}
